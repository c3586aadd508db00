"""Searches: for a point inside a small domain, and for the other side of a kink."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minigrad_grammar.checking.points import Point, between, moved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SHRINK = 0.4
_SMALLEST_STEP = 1e-9
_BISECTIONS = 40


def climb(
    start: Point, height: Callable[[Point], Any], done: Callable[[Any], bool], budget: int, places: Sequence[int]
) -> Point:
    """Return a point that is as high as a pattern search gets.

    Args:
        start: where it begins.
        height: what is to be made large; anything that can be compared.
        done: whether a height is enough.
        budget: how many points may be tried.
        places: the coordinates that may be changed.
    """
    best, top = start, height(start)
    steps = {place: max(abs(start[place]) / 2.0, 1e-3) for place in places}
    while budget > 0 and not done(top) and any(step > _SMALLEST_STEP for step in steps.values()):
        improved = False
        for place in places:
            for number in _moves(best[place], steps[place]):
                budget -= 1
                trial = moved(best, place, number)
                reached = height(trial)
                if reached > top:
                    best, top, improved = trial, reached, True
                    steps[place] *= 1.5
                    break
            if done(top) or budget <= 0:
                return best
        if not improved:
            steps = {place: step * _SHRINK for place, step in steps.items()}
    return best


def _moves(number: float, step: float) -> Iterator[float]:
    yield number + step
    yield number - step
    yield number * 2.0
    yield number / 2.0
    yield -number


def bisect(negative: Point, positive: Point, sign: Callable[[Point], int]) -> tuple[Point, Point]:
    """Return two points close together on either side of a root between two others.

    Args:
        negative: a point where ``sign`` is -1.
        positive: one where it is 1.
        sign: -1, 0 or 1; 0 where there is no number, too.
    """
    for _ in range(_BISECTIONS):
        middle = between(negative, positive)
        there = sign(middle)
        if there == 0 or middle in (negative, positive):
            break
        if there < 0:
            negative = middle
        else:
            positive = middle
    return negative, positive
