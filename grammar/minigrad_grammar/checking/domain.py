"""The way into a small domain: draw, and if that finds too little, climb."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from minigrad_grammar.checking.search import climb
from minigrad_grammar.checking.trial import NEEDED, NOWHERE, UNDEFINED

if TYPE_CHECKING:
    from collections.abc import Collection

    from minigrad_grammar.bounded import BoundedPass
    from minigrad_grammar.checking.hunt import Hunt
    from minigrad_grammar.checking.points import Point

DRAWS = 2000
"""So many points are drawn before the domain is searched for."""

# With so many points inside, the domain is not small: what they lack is something else.
_WIDE = 200

_STARTS = 3
_REACH = 0.5
_CLIMB = 300

_INSIDE = (2, 0, 0.0)


def enter(hunt: Hunt) -> None:
    """Try points until enough support the claim, or the domain was found to be wide."""
    most = min(DRAWS, hunt.left - hunt.left // 5)
    for _ in range(most):
        if hunt.over or hunt.supports >= NEEDED:
            break
        hunt.attempt(hunt.random_point())
    defined = [point for point, trial in hunt.trials if trial.verdict != UNDEFINED]
    if hunt.over or hunt.supports >= NEEDED or len(defined) >= _WIDE:
        return
    for point in (defined or _climbed(hunt))[:_STARTS]:
        hunt.draw_around(point, lambda trial: trial.verdict != NOWHERE, NEEDED, _REACH)


def _climbed(hunt: Hunt) -> list[Point]:
    """Return a point inside the domain, from the best of those outside; none if no climb gets there."""

    def height(point: Point) -> tuple[int, int, float]:
        return _inside(hunt, point)

    for start in sorted(hunt.elsewhere, key=height, reverse=True)[:_STARTS]:
        point = climb(start, height, lambda there: there == _INSIDE, hunt.share(_CLIMB), hunt.places)
        if hunt.attempt(point).verdict != NOWHERE:
            return [point]
    return []


def _inside(hunt: Hunt, point: Point) -> tuple[int, int, float]:
    """Return how near a point is to the domain; greater is nearer.

    The domain of the truth counts first and then that of the claim; in each, how many nodes come before the first
    fault, and by how much its condition is violated.
    """
    ran = hunt.run(point)
    for number, (passed, nodes) in enumerate(((ran, set(hunt.case.relevant)), (hunt.case.right_side(ran), None))):
        fault = _first_fault(passed, nodes)
        if fault is not None:
            return number, *fault
    return _INSIDE


def _first_fault(passed: BoundedPass, nodes: Collection[int] | None) -> tuple[int, float] | None:
    """Return the first fault of a pass, among some nodes; -inf for its margin where it is no matter of domain."""
    for fault in passed.faults:
        if nodes is None or fault.at in nodes:
            return fault.at, -math.inf if math.isnan(fault.margin) else fault.margin
    return None
