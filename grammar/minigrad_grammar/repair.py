"""A text whose products lack their sign, with all of them put in: what the hint of the error shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_grammar.errors import LanguageError, MissingProductError
from minigrad_grammar.fold import fold, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_PRODUCTS = 50
_LONGEST_TEXT = 2000
_LONGEST_HINT = 120


def product_hint(text: str, at: int, parse: Callable[[str], object]) -> str:
    """Return the hint for a product without its sign: the line as it should be; "" if that makes no program.

    Args:
        text: the source.
        at: where the first * belongs.
        parse: raises LanguageError for what is no program.
    """
    line_at = at
    for _ in range(_MOST_PRODUCTS if len(text) <= _LONGEST_TEXT else 0):
        text = text[:at] + "*" + text[at:].lstrip(" \t")
        try:
            parse(text)
        except MissingProductError as error:
            at = error.at
        except LanguageError:
            break
        else:
            line = _line_to_show(text, line_at, parse)
            return f"write {line}" if line and len(line) <= _LONGEST_HINT else ""
    return ""


def _line_to_show(text: str, at: int, parse: Callable[[str], object]) -> str:
    """Return a program on one line if it still is one there, or else the line around ``at`` if that is whole, or ""."""
    whole = one_line(text)
    try:
        parse(whole)
    except LanguageError:
        folded = fold(text)
        start = folded.rfind("\n", 0, at) + 1
        line = one_line(text[start : (folded + "\n").index("\n", at)])
        return line if line.count("(") == line.count(")") and line[:1] != ")" else ""
    return whole
