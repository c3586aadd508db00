"""Distances in units in the last place, measured in 60-digit arithmetic."""

from __future__ import annotations

import math

from mpmath import mp, mpf

mp.dps = 60


def ulps(computed: float, true: str | mpf) -> float:
    """Return how far ``computed`` is from the true number, in units in the last place of the true number.

    0 for the double nearest to it; inf where only one of the two is finite.
    """
    exact = mpf(true)
    nearest = float(exact)
    if computed == nearest:
        return 0.0
    if not math.isfinite(computed) or not math.isfinite(nearest):
        return math.inf
    return float(abs(mpf(computed) - exact) / mpf(math.ulp(nearest)))
