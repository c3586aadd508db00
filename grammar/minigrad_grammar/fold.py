"""What people paste, read as they mean it: one sign for each operator, whatever the source wrote.

Every character becomes exactly one, so that a place in the folded text is the same place in the user's.
"""

from __future__ import annotations

import re

_FOLDED = {
    "+": "＋",
    "-": "−‐‑‒–﹣－",
    "×": "·⋅∗∙＊",
    "/": "÷∕⁄／",
    "(": "（",
    ")": "）",
    ",": "，",
    "=": "＝",
    ";": "；",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff",
    "\n": "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029",
}

SUPERSCRIPTS = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
LOWERED = str.maketrans(SUPERSCRIPTS, "+-0123456789")
"""Superscripts as plain signs and digits, for str.translate."""

SUPERSCRIPT_RUN = "[⁺⁻]?[⁰¹²³⁴-⁹]+"
"""The pattern of an exponent in superscripts, as the grammar has it."""

_TABLE = {ord(character): sign for sign, characters in _FOLDED.items() for character in characters}


def fold_signs(text: str) -> str:
    """Return ``text`` with other signs for the operators, other spaces and other line ends as the grammar has them."""
    return text.translate(_TABLE)


def fold(text: str) -> str:
    """Return ``text`` as the parser reads it, with every sign folded.

    A pasted product sign stays one of its own (two of them are no power), and every accent becomes the same one, since
    no pattern could list them.
    """
    if text.isascii():
        return fold_signs(text)
    import unicodedata  # most programs do without

    marks = {ord(character): "\u0300" for character in set(text) if unicodedata.category(character).startswith("M")}
    return text.translate(_TABLE | marks)


def lower_first(text: str) -> str:
    """Return ``text`` with the superscripts that it begins with as plain signs and digits."""
    count = len(text) - len(text.lstrip(SUPERSCRIPTS))
    return text[:count].translate(LOWERED) + text[count:]


def one_line(text: str) -> str:
    """Return a piece of a program on one line, without its comments."""
    folded = fold(text)
    pieces = []
    start = 0
    for comment in re.finditer("#[^\n]*", folded):
        pieces.append((start, comment.start()))
        start = comment.end()
    pieces.append((start, len(text)))
    kept = (
        " " if blank in " \t\n" else character
        for a, b in pieces
        for character, blank in zip(text[a:b], folded[a:b], strict=True)
    )
    return " ".join("".join(kept).split())
