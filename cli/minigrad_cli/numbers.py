"""How numbers are written, for programs and for people."""

from __future__ import annotations

import math

DEFAULT_DIGITS = 6
MACHINE_DIGITS = 12
"""Numbers in full carry a note where fewer digits than these are sure; the last few of a double rarely are."""

MOST_DIGITS = 17
"""More significant digits than 17 say nothing about a double."""


def bare(number: float) -> str:
    """Return the shortest text that reads back to the same double: 8, 0.1, -0, 1e+16, inf."""
    text = repr(number)
    return text[:-2] if text.endswith(".0") else text


def rounded(number: float, digits: int) -> str:
    """Return a number for reading, rounded to so many significant digits. Zero has no sign."""
    return f"{number or 0.0:.{digits}g}"


def for_json(number: float) -> float | str:
    """Return a number as JSON can have it: itself, or "Infinity", "-Infinity", "NaN"."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
