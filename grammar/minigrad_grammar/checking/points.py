"""Where to try a claim: points of every size and sign, and points near what is special about it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from minigrad_grammar.bounded import BoundedPass

Point = tuple[float, ...]
"""A number for each variable of the program, in its order."""

_USUAL = (1e-3, 50.0)
_WIDE = (1e-8, 1e6)
_NEARBY = (1.0, 1.0 + 2.0**-7, 1.0 - 2.0**-7, 1.0 + 2.0**-20, 1.0 - 2.0**-20)
_APART = (2.0**-10, -(2.0**-10))


def constants(ran: BoundedPass) -> list[float]:
    """Return the sizes of the constants in a program that was run, and of the inverse of extreme ones, without 0."""
    program = ran.bounded.program
    found = {abs(ran.data[index]) for index in range(len(program)) if not program.live[index]}
    sizes = sorted(number for number in found if 0.0 < number < math.inf)[:_MOST_CONSTANTS]
    # What is multiplied by 1e-20 matters at 1e20.
    extreme = [number for number in sizes if not 1.0 / _WIDE[1] <= number <= _WIDE[1]]
    return sizes + [1.0 / number for number in extreme if number > _INVERTIBLE]


_INVERTIBLE = 1e-300
_MOST_CONSTANTS = 50


def neighbourhood(number: float) -> list[float]:
    """Return a number, its neighbours a hundredth and a millionth away, and a thousandth to either side."""
    return [number * factor for factor in _NEARBY] + [number + step for step in _APART]


def draw(chance: random.Random, count: int, special: Sequence[float]) -> Point:
    """Return a random point.

    Half of the coordinates are of usual size, a quarter of any size, a quarter special; each on its own, with full
    mantissas and either sign, and no two are equal. Every fourth point has no negative coordinate, since many domains
    do not; every eighth has two variables that cancel.

    Args:
        chance: where the luck comes from.
        count: how many variables there are.
        special: sizes of constants.
    """
    positive = chance.random() < 0.25
    point: list[float] = []
    while len(point) < count:
        number = _coordinate(chance, special, positive=positive)
        if number not in point:
            point.append(number)
    if count > 1 and chance.random() < 0.125:
        first, second = chance.sample(range(count), 2)
        point[second] = -point[first]
    return tuple(point)


def _coordinate(chance: random.Random, special: Sequence[float], *, positive: bool) -> float:
    kind = chance.random()
    if kind < 0.25 and special:
        number = chance.choice(neighbourhood(chance.choice(special)))
    else:
        low, high = _WIDE if kind < 0.5 else _USUAL
        number = math.exp(chance.uniform(math.log(low), math.log(high)))
    if positive:
        return abs(number)
    return number if chance.random() < 0.5 else -number


def around(chance: random.Random, point: Point, reach: float) -> Point:
    """Return a random point near another: every coordinate within ``reach`` times its size, or its unit if tiny."""
    return tuple([number + reach * chance.uniform(-1.0, 1.0) * (abs(number) or 1.0) for number in point])


def moved(point: Point, place: int, number: float) -> Point:
    """Return a point with another number in one place."""
    return (*point[:place], number, *point[place + 1 :])


def between(first: Point, second: Point) -> Point:
    """Return the point in the middle of two."""
    return tuple([a + (b - a) / 2.0 for a, b in zip(first, second, strict=True)])


def simple_points(count: int) -> Iterator[Point]:
    """Yield points that are easy to compute by hand: different primes, halves, negative ones."""
    primes = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0]
    numbers = [primes[place % len(primes)] for place in range(count)]
    yield tuple(numbers)
    yield tuple([-number for number in numbers])
    yield tuple([number if place % 2 else -number for place, number in enumerate(numbers)])
    yield tuple([-number if place % 2 else number for place, number in enumerate(numbers)])
    yield tuple([float(place + 1) for place in range(count)])
    yield tuple([-float(place + 1) for place in range(count)])
    yield tuple([1.0 / number for number in numbers])
    yield tuple([-1.0 / number for number in numbers])
    yield tuple([number / 10.0 for number in numbers])


def roundings(point: Point) -> Iterator[Point]:
    """Yield a point with one significant digit a coordinate, then with two, and so on to the point itself."""
    for digits in range(1, 17):
        yield tuple([float(f"{number:.{digits}g}") for number in point])
    yield point
