"""The numbers behind the table of rules where Python's math module alone is not enough.

Everything here takes and returns doubles. Errors are worst cases measured against 60-digit arithmetic.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "LOG2_E",
    "LOG10_E",
    "SPLITTER",
    "TINY",
    "TWO_OVER_SQRT_PI",
    "cbrt",
    "largest",
    "leads",
    "power_slope",
    "smallest",
    "tie_shares",
]

TINY = 2.0**-1022
"""The smallest normal double: below it a number has fewer than 53 bits."""

SMALLEST = 2.0**-1074
"""The smallest double above 0: a result that underflows may be off by as much."""

SPLITTER = 2.0**27 + 1.0
"""Veltkamp's factor: it splits a double in two of 26 bits."""

LARGEST_EXACT = 2.0**53
"""Up to here, n - 1 is exact for every double n from 1/2 on."""

TWO_OVER_SQRT_PI = 1.1283791670955126
LOG2_E = 1.4426950408889634
LOG10_E = 0.4342944819032518


def cbrt(a: float) -> float:
    """Return the real cube root of ``a``, for negative ``a`` too.

    math.cbrt is off by up to 3.7 units in the last place; one Newton step on it leaves less than 1.
    """
    root = math.cbrt(a)
    if root == 0.0 or not math.isfinite(root):
        return root
    # a/root**2, so that no intermediate overflows or underflows: root is between 1.7e-108 and 5.7e102.
    return root - (root - a / (root * root)) / 3.0


def power_slope(a: float, n: float, c: float) -> float:
    """Return n * a**(n - 1), the derivative of c = a**n by a; 0 for n = 0, for every a.

    The textbook form is wrong where n - 1 rounds (below 1/2 and above 2**53) and where a**(n - 1) is subnormal, so the
    power is taken from ``c``, or in two halves, there.

    Raises:
        ZeroDivisionError: at a = 0 for 0 < n < 1, where the derivative is infinite.
    """
    if n == 0.0:
        return 0.0
    if a == 0.0 and n < 1.0:
        raise ZeroDivisionError
    size, power = abs(a), abs(c)
    if size == 0.0 or math.isinf(size):
        slope = n * math.pow(size, n - 1.0)
    else:
        exact = 0.5 <= n <= LARGEST_EXACT
        lower = math.pow(size, n - 1.0) if exact else power / size
        if power >= TINY and lower >= TINY:
            slope = n * lower if exact else n * power / size
        elif exact:
            half = math.pow(size, (n - 1.0) / 2.0)
            slope = (n * half) * half
        else:
            half = math.pow(size, n / 2.0)
            slope = (n * half) * (half / size)
    # a**(n - 1) has the sign of c/a.
    return slope * math.copysign(1.0, c) * math.copysign(1.0, a)


def largest(operands: Sequence[float]) -> float:
    """Return the greatest operand; nan if one is nan."""
    return math.nan if any(map(math.isnan, operands)) else max(operands)


def smallest(operands: Sequence[float]) -> float:
    """Return the least operand; nan if one is nan."""
    return math.nan if any(map(math.isnan, operands)) else min(operands)


def leads(operands: Sequence[float], sign: float) -> list[float]:
    """Return how far each operand is ahead of the best of the others; 0 for those that tie for the lead.

    Args:
        operands: the numbers compared, two or more.
        sign: 1.0 where the largest leads, -1.0 where the smallest does.
    """
    ranked = sorted([sign * operand for operand in operands], reverse=True)
    first, second = ranked[0], ranked[1]
    return [sign * operand - (second if sign * operand == first else first) for operand in operands]


def tie_shares(operands: Sequence[float], c: float, ties: str) -> list[float]:
    """Return the local derivatives of c = max(operands) or min(operands), one an operand.

    Args:
        operands: the numbers compared; 0.0 and -0.0 tie.
        c: the chosen number.
        ties: "split" (an equal share to all that tie), "first" or "last".
    """
    if math.isnan(c):
        return [math.nan] * len(operands)
    if ties == "split":
        share = 1.0 / operands.count(c)
        return [share if operand == c else 0.0 for operand in operands]
    winner = operands.index(c)
    if ties == "last":
        winner = len(operands) - 1 - list(reversed(operands)).index(c)
    return [1.0 if place == winner else 0.0 for place in range(len(operands))]
