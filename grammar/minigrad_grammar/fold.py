"""What people paste, read as they mean it: one sign for each operator, whatever the source wrote.

Every character becomes exactly one, so that a place in the folded text is the same place in the user's.
"""

from __future__ import annotations

_FOLDED = {
    "+": "＋",
    "-": "−‐‑‒–﹣－",
    "*": "×·⋅∗∙＊",
    "/": "÷∕⁄／",
    "(": "（",
    ")": "）",
    ",": "，",
    "=": "＝",
    ";": "；",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff",
    "\n": "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029",
}

_TABLE = {ord(character): sign for sign, characters in _FOLDED.items() for character in characters}


def fold(text: str) -> str:
    """Return ``text`` with other signs for the operators, other spaces and other line ends as the grammar has them."""
    return text.translate(_TABLE)
