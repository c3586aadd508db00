"""The words of what a row says of its errors: how far a local derivative moves while operands move within theirs.

A drift is a double, inf where the operands may come to a singularity. All are upper bounds by the mean value theorem:
over the interval [a - ea, a + ea] a function f changes by at most ea*max(abs(f')).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from minigrad.kernels import LOG2_E, SMALLEST, SPLITTER

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "clamp_drift",
    "is_exact_product",
    "is_exact_sum",
    "nearing",
    "power_drift",
    "power_spread",
    "quotient_drift",
    "swelling",
    "tangent_drift",
    "tapering",
    "undecided",
]


def is_exact_sum(a: float, b: float, c: float) -> bool:
    """Whether c = a + b was not rounded: Knuth's two-sum gives what was lost."""
    rest = c - a
    return (a - (c - rest)) + (b - rest) == 0.0


def is_exact_product(a: float, b: float, c: float) -> bool:
    """Whether c is a*b without rounding: Dekker's product gives what was lost, far from overflow and underflow."""
    if c == 0.0:
        return a == 0.0 or b == 0.0
    if not (_SAFE[0] < abs(c) < _SAFE[1] and abs(a) < _SAFE[1] and abs(b) < _SAFE[1]):
        return False
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return ((a_high * b_high - c) + a_high * b_low + a_low * b_high) + a_low * b_low == 0.0


_SAFE = (1e-200, 1e200)


def _halves(a: float) -> tuple[float, float]:
    """Split a double in two of 26 bits (Veltkamp)."""
    scaled = SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


def nearing(e: float, room: float) -> float:
    """Return e/(room - e), the most that 1/room may grow by, relatively, when an error of ``e`` eats into the room."""
    if e == 0.0:
        return 0.0
    return e / (room - e) if e < room else math.inf


def swelling(f: float, exponent: float) -> float:
    """Return the most that f changes by where its logarithm changes by at most ``exponent``; f may have underflowed."""
    return (abs(f) + SMALLEST) * math.expm1(exponent)


def undecided(sides: Sequence[float], errors: Sequence[float]) -> bool:
    """Whether the operands' errors leave open on which side of a kink they are.

    Exact operands never do: at a kink the convention decides.

    Args:
        sides: what the row's ``kinks`` gives.
        errors: the bounds of the operands.
    """
    reach = sum(errors)
    return reach > 0.0 and min(map(abs, sides)) <= reach


def quotient_drift(a: float, b: float, d: float, ea: float, eb: float) -> float:
    """Return the drift of d = -a/b**2."""
    if a == 0.0 == ea:
        return 0.0
    growth = nearing(eb, abs(b))
    if growth == math.inf:
        return math.inf
    return abs(d) * growth * (2.0 + growth) + abs(ea / b / b) * (1.0 + growth) ** 2 + SMALLEST


def power_spread(a: float, n: float, c: float, ea: float, en: float) -> float:
    """Return the spread of c = a**n: log(c) = n*log(a) moves by n/a for a step of a, by log(a) for a step of n."""
    if ea == 0.0 and en == 0.0:
        return 0.0
    size = abs(a)
    if ea >= size:
        if en > 0.0 or n < 0.0 or (n % 1.0 and ea > size):
            return math.inf
        # The power may underflow, and the bound may not.
        return math.pow(size + ea, n) + abs(c) + SMALLEST if n > 0.0 else 0.0
    return abs(c) * math.expm1(_power_growth(n, size, ea, en))


def power_drift(a: float, n: float, d: float, ea: float, en: float) -> float:
    """Return the drift of d = n*a**(n - 1)."""
    if (ea == 0.0 and en == 0.0) or (en == 0.0 and n in (0.0, 1.0)):
        return 0.0
    size = abs(a)
    if ea >= size:
        return n * math.pow(size + ea, n - 1.0) + abs(d) + SMALLEST if n > 1.0 and en == 0.0 else math.inf
    return swelling(d, _power_growth(n - 1.0, size, ea, en) + nearing(en, abs(n)))


def _power_growth(n: float, size: float, ea: float, en: float) -> float:
    """Return the most that log(size**n) may change by."""
    growth = nearing(ea, size)
    return (abs(n) + en) * growth + en * abs(math.log(size))


def tangent_drift(c: float, e: float) -> float:
    """Return the drift of 1 + c*c, where c is the tangent of an angle that may be off by ``e``."""
    if e >= math.pi / 4.0 or abs(c) * math.tan(e) >= 1.0:
        return math.inf
    # tan(a + e) - tan(a), by the theorem of addition.
    step = (1.0 + c * c) * math.tan(e) / (1.0 - abs(c) * math.tan(e))
    return step * (2.0 * abs(c) + step)


def tapering(a: float, e: float, most: float, degree: float) -> float:
    """Return a bound on abs(f'/f) for an f that is flat at 0 and falls like a**-degree: ``most``, or less far out."""
    return min(most, degree / (abs(a) - e)) if abs(a) > e else most


def clamp_drift(argument: float, d: float, e: float, epsilon: float) -> float:
    """Return the drift of a logarithm's derivative where arguments below ``epsilon`` are clamped to it."""
    if abs(argument - epsilon) <= e:
        # It is 0 on one side, and on the other at most LOG2_E/epsilon, that of log2.
        return LOG2_E / epsilon
    return 0.0 if argument < epsilon else abs(d) * nearing(e, argument)
