"""Both sides of every kink, and what is near the roots of operands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from minigrad_grammar.checking.points import moved
from minigrad_grammar.checking.search import bisect, climb
from minigrad_grammar.program import INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from minigrad_grammar.bounded import BoundedPass
    from minigrad_grammar.checking.hunt import Hunt
    from minigrad_grammar.checking.points import Point

# Operations that have nothing special where an operand is 0.
_PLAIN = {"add", "sub", "neg", "mul"}

_MOST_ROOTS = 24
_STARTS, _OTHER_STARTS = 3, 8
_CLIMB = 150
_PLACES_AT_A_KINK, _PLACES_AT_A_ROOT = 4, 2
_SIZES = (30.0, 100.0, 300.0, 700.0, 1e4, 1e8, 1e16, 1e30, 1e50, 1e75, 1e100, 1e150, 1e300)


def explore_kinks(hunt: Hunt) -> None:
    """Look for both sides of every kink."""
    if not (hunt.case.kinks or hunt.case.right.kinks):
        return
    known = [
        (point, sides)
        for point, trial in hunt.trials
        if trial.told is not None and (sides := _sides(hunt, trial.ran, trial.told)) is not None
    ]
    if not known:
        return
    for number in range(len(known[0][1])):
        if hunt.against is not None:
            return
        ranked = sorted(((point, sides[number]) for point, sides in known), key=lambda pair: abs(pair[1]))
        below = [point for point, side in ranked if side < 0.0]
        above = [point for point, side in ranked if side > 0.0]
        if hunt.over:
            if not (below and above):
                hunt.unsearched = "the program is too long to look on both sides of every kink"
            continue
        _find_both_sides(hunt, number, below, above)


def _find_both_sides(hunt: Hunt, number: int, below: list[Point], above: list[Point]) -> None:
    """Try points on both sides of a kink, given those that are known on either, nearest first."""

    def side(point: Point) -> float:
        hunt.left -= 1
        ran = hunt.run(point)
        sides = _sides(hunt, ran, hunt.case.right_side(ran))
        return math.nan if sides is None else sides[number]

    if not (below and above):
        crossed = _crossed(hunt, below or above, side)
        if crossed is None:
            return
        (above if below else below).append(crossed)
    for point in _root(below[0], above[0], side):
        hunt.try_near(point, hunt.places[:_PLACES_AT_A_KINK])


def _crossed(hunt: Hunt, known: list[Point], side: Callable[[Point], float]) -> Point | None:
    """Return a point on the other side of a kink than those that are known, if making its distance small finds one."""
    if not known:
        return None
    sign = -1.0 if side(known[0]) < 0.0 else 1.0
    for point in _far(hunt, known[0]):
        if sign * side(point) < 0.0:
            hunt.attempt_all([point])
            return point

    def height(point: Point) -> float:
        here = sign * side(point)
        return -math.inf if math.isnan(here) else -here

    # The distance may be flat in doubles near most points; so others than the nearest are starts too.
    others = hunt.chance.sample(known[_STARTS:], min(_OTHER_STARTS, len(known[_STARTS:])))
    for start in (*known[:_STARTS], *others):
        point = climb(start, height, lambda there: there > 0.0, hunt.share(_CLIMB), hunt.places)
        hunt.attempt_all([point])
        if height(point) > 0.0:
            return point
    return None


def _far(hunt: Hunt, point: Point) -> Iterator[Point]:
    """Yield points far out along each variable, where a side that is flat near the others may change its sign."""
    for place in hunt.places[:_PLACES_AT_A_KINK]:
        for size in _SIZES:
            yield moved(point, place, size)
            yield moved(point, place, -size)


def _sides(hunt: Hunt, ran: BoundedPass, told: BoundedPass) -> list[float] | None:
    """Return the sides of every kink at a point, on them too; None where there is no number."""
    sides = [side for side, _ in hunt.case.all_sides(ran, told)]
    return None if any(map(math.isnan, sides)) else sides


def explore_roots(hunt: Hunt) -> None:
    """Try what is near the roots of denominators, bases, exponents and other operands."""
    for is_right, index in list(dict.fromkeys(_operands(hunt)))[:_MOST_ROOTS]:

        def number(point: Point, is_right: bool = is_right, index: int = index) -> float:
            hunt.left -= 1
            ran = hunt.run(point)
            return (hunt.case.right_side(ran) if is_right else ran).data[index]

        below, above = None, None
        for point, trial in hunt.trials:
            passed: BoundedPass | None = trial.told if is_right else trial.ran
            here = math.nan if passed is None else passed.data[index]
            if here < 0.0:
                below = point
            elif here > 0.0:
                above = point
        if below is not None and above is not None and not hunt.over:
            point, _ = _root(below, above, number)
            hunt.try_near(point, hunt.chance.sample(hunt.places, min(_PLACES_AT_A_ROOT, len(hunt.places))))


def _operands(hunt: Hunt) -> Iterator[tuple[bool, int]]:
    """Yield (whether of the right side, node) of the operands of operations to which their sign matters."""
    case = hunt.case
    for is_right, program, nodes in (
        (False, case.bounded.program, case.relevant),
        (True, case.right.program, range(len(case.right.program))),
    ):
        for index in nodes:
            if program.rule(index).name in _PLAIN or not program.live[index]:
                continue
            for operand in program.operands[index]:
                if program.live[operand] and (program.rule(operand) is not INPUT or is_right):
                    yield is_right, operand


def _root(below: Point, above: Point, quantity: Callable[[Point], float]) -> tuple[Point, Point]:
    """Return two points on either side of a root of a quantity, between two where it has opposite signs."""

    def sign(point: Point) -> int:
        here = quantity(point)
        return (here > 0.0) - (here < 0.0)

    return bisect(below, above, sign)
