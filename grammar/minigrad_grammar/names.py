"""Names: which characters they may have, when two are one, and what a misspelt one was meant to be."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from minigrad.rules import FUNCTIONS
from minigrad_grammar.errors import LanguageError
from minigrad_grammar.fold import LOWERED, SUPERSCRIPT_RUN, fold, one_line

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


def _unfit_character(name: str) -> int | None:
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
    after = after[:_LONGEST_REWRITE]
    power = re.match(rf"\s*(?:(?:\*\*|\^)\s*\(?(-?\d+)\)?|({SUPERSCRIPT_RUN}))\s*(?=\()", after)
    if power is None:
        return f"write {name}(...)"
    inside = _bracketed(after[power.end() :])
    exponent = power[1] or power[2].translate(LOWERED)
    inverse = exponent == "-1" and f"a{name}" in FUNCTIONS
    return f"write {name}{inside}**{exponent}" + (f", or a{name}{inside} for the inverse function" if inverse else "")


def _bracketed(text: str) -> str:
    """Return the bracket that ``text`` begins with, to its end; "(...)" if it has none."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return one_line(text[: place + 1])
    return "(...)"


_LONGEST_REWRITE = 200


def unfit_name(text: str, start: int) -> LanguageError | None:
    """Return the error of a word that cannot be a name, or None if it can.

    Args:
        text: the word; the names of functions are fit.
        start: where it begins in the program.
    """
    place = None if text in FUNCTIONS else _unfit_character(text)
    if place is None:
        return None
    plain = unicode_plain(text)
    hint = f"write {plain}" if plain in FUNCTIONS else _hint_for_character(text, place)
    span = (start + place, start + place + 1)
    return LanguageError(f"a name cannot have the character {text[place]}", hint=hint, span=span)


def _hint_for_character(text: str, place: int) -> str:
    """Return what to write instead of a character that no name may have: x_1 for x₁, 1/2 for ½."""
    import unicodedata

    character = text[place]
    plain = unicode_plain(character).replace("\u2044", "/")
    if unicodedata.category(character) == "Nd":
        digits = "".join(str(unicodedata.digit(one, one)) for one in text)
        return f"write {digits}, in the digits 0 to 9"
    if "/" in plain:
        return f"write {plain}"
    if not plain.isalnum() or not place:
        return "choose another name"
    hint = f"for an index write {text[:place]}_{unicode_plain(text[place:])}"
    raised = any(word in unicodedata.name(character, "") for word in ("SUPERSCRIPT", "MODIFIER"))
    return f"{hint}; the exponent of a power is a number, as in {text[:place]}**2" if raised else hint


_MOST_CANDIDATES = 1000


def closest(name: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return the known name that ``name`` was probably meant to be, or "". ``likeness`` is from 0 to 1, the same."""
    import difflib

    candidates = list(known)
    if len(candidates) > _MOST_CANDIDATES:
        return ""
    folded = {unicode_plain(candidate).lower(): candidate for candidate in reversed(candidates)}
    match = difflib.get_close_matches(unicode_plain(name).lower(), folded, n=1, cutoff=likeness)
    return folded[match[0]] if match else ""
