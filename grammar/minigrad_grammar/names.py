"""Names: which characters they may have, when two are one, and what a misspelt one was meant to be."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from minigrad_grammar.fold import LOWERED, fold, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

CONSTANTS = {"pi": math.pi, "π": math.pi, "tau": math.tau, "τ": math.tau, "e": math.e}
"""The named constants. A program or a flag that binds one of these names makes it a variable."""

LONGEST_NAME = 255
"""A name has at most this many characters."""

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode's categories of what is not there to be read, and what a terminal may act on: control and format characters
(bidirectional overrides among them), undecodable bytes, private and unassigned ones, separators of lines."""


def canonical(name: str) -> str:
    """Return the form in which names are compared: NFC, with the micro sign as the Greek letter mu."""
    if name.isascii():
        return name
    import unicodedata  # most programs do without

    return unicodedata.normalize("NFC", name).replace("µ", "μ")


def unfit_character(name: str) -> int | None:
    """Return the place of the first character of ``name`` that no name may have, or None.

    Letters of any alphabet, their accents, 0-9 and the underscore are fit; modifier letters, subscripts, other digits
    and numerals are not, since they look like notation (an index, a power) and would be read as part of the name.
    """
    if name.isascii():
        return None
    import unicodedata

    for place, character in enumerate(name):
        kind = unicodedata.category(character)
        accent = kind.startswith("M") and place > 0
        if not (character.isascii() or accent or kind in ("Ll", "Lu", "Lt", "Lo")):
            return place
    return None


def is_name(text: str) -> bool:
    """Whether ``text`` has the shape of a name; the characters in it may still be unfit."""
    return text.isidentifier() if text.isascii() else re.fullmatch(r"(?!\d)(?:\w|\u0300)+", fold(text)) is not None


def unicode_plain(text: str) -> str:
    """Return ``text`` without what Unicode calls its form: log2 for log₂, x for 𝑥."""
    import unicodedata

    return unicodedata.normalize("NFKC", text)


def function_hint(name: str, after: str) -> str:
    """Return how to write a function that stands without brackets, given the text behind it.

    A power between a function and its brackets, as mathematics has it, goes behind them: sin²(x) is sin(x)**2.
    """
    power = re.match(r"\s*(?:(?:\*\*|\^)\s*\(?(-?\d+)\)?|([⁺⁻]?[⁰¹²³⁴-⁹]+))\s*(?=\()", after[:_LONGEST_REWRITE])
    if power is None:
        return f"write {name}(...)"
    bracket = after[power.end() :]
    inside = _bracketed(bracket) if len(bracket) <= _LONGEST_REWRITE else "(...)"
    exponent = power[1] or power[2].translate(LOWERED)
    written = f"write {name}{inside}**{exponent}"
    return f"{written}, or a{name}{inside} for the inverse function" if exponent == "-1" else written


def _bracketed(text: str) -> str:
    """Return the bracket that ``text`` begins with, to its end; "(...)" if it has none."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return one_line(text[: place + 1])
    return "(...)"


_LONGEST_REWRITE = 200


def hint_for_character(text: str, place: int) -> str:
    """Return what to write instead of a character that no name may have: x_1 for x₁, 1/2 for ½."""
    import unicodedata

    character = text[place]
    plain = unicodedata.normalize("NFKC", character).replace("\u2044", "/")
    if unicodedata.category(character) == "Nd":
        digits = "".join(str(unicodedata.digit(one, one)) for one in text)
        return f"write {digits}, in the digits 0 to 9"
    if "/" in plain:
        return f"write {plain}"
    if not plain.isalnum() or not place:
        return "choose another name"
    hint = f"for an index write {text[:place]}_{unicodedata.normalize('NFKC', text[place:])}"
    raised = any(word in unicodedata.name(character, "") for word in ("SUPERSCRIPT", "MODIFIER"))
    return f"{hint}; the exponent of a power is a number, as in {text[:place]}**2" if raised else hint


_MOST_CANDIDATES = 1000


def closest(name: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return the known name that ``name`` was probably meant to be, or "". ``likeness`` is from 0 to 1, the same."""
    import difflib
    import unicodedata

    candidates = list(known)
    if len(candidates) > _MOST_CANDIDATES:
        return ""
    folded = {unicodedata.normalize("NFKC", candidate).lower(): candidate for candidate in reversed(candidates)}
    wanted = unicodedata.normalize("NFKC", name).lower()
    match = difflib.get_close_matches(wanted, folded, n=1, cutoff=likeness)
    return folded[match[0]] if match else ""
