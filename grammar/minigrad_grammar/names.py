"""Names: which characters they may have, when two are one, and what a misspelt one was meant to be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

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


def closest(name: str, known: Iterable[str]) -> str:
    """Return the known name that ``name`` was probably meant to be, or ""."""
    import difflib
    import unicodedata

    candidates = list(known)
    folded = {unicodedata.normalize("NFKC", candidate).lower(): candidate for candidate in reversed(candidates)}
    wanted = unicodedata.normalize("NFKC", name).lower()
    match = difflib.get_close_matches(wanted, folded, n=1, cutoff=0.6)
    return folded[match[0]] if match else ""
