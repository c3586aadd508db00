"""The decision on a claim that should hold at every point where the truth is defined.

docs/deciding.md has the rule in words. A difference that is analytic vanishes on a whole region or almost nowhere, so
what counts is to find every region: the domain, and every cell between kinks.
"""

from __future__ import annotations

import math
import random
from functools import cached_property
from typing import TYPE_CHECKING, Any

from minigrad_grammar.bounded import FINE
from minigrad_grammar.checking.finding import RIGHT, UNTESTED, WRONG, Finding, Reason
from minigrad_grammar.checking.points import Point, around, constants, draw, neighbourhood, roundings, simple_points
from minigrad_grammar.checking.precise import is_available, sharpened
from minigrad_grammar.checking.search import bisect, climb
from minigrad_grammar.checking.trial import NOWHERE, REFUTES, SILENT, SUPPORTS, UNDEFINED, Case, Trial
from minigrad_grammar.program import INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from minigrad_grammar.bounded import BoundedPass
    from minigrad_grammar.checking.checker import Checker

NEEDED = 12
"""So many points must support an identity, and of an identity without variables one."""

NEEDED_IN_A_CELL = 3
"""So many must do so in every cell."""

UNDEFINED_ENOUGH = 2
"""At so many points only the truth must be defined for a claim to be wrong."""

DRAWS = 2000
"""So many points are drawn before the domain is searched for."""

_POOLED, _OWN = 64, 16
_NEAR_CONSTANTS = 150
_WIDE_ENOUGH = 200
_TRIES = 40
_MOST_QUANTITIES = 24
_STARTS = 3

# Operations that have nothing special where an operand is 0.
_PLAIN = {"add", "sub", "neg", "mul"}


def decide_identity(checker: Checker, case: Case) -> Finding:
    """Decide a claim whose right side names a variable: at the given point first, and then in general."""
    claim = case.claim
    at_point = None
    if all(checker.is_given(name) for name in case.variables):
        at_point = case.trial(checker.at)
        if at_point.verdict == REFUTES:
            return _refuted(case, at_point, {name: _number(checker, name) for name in case.variables})
    hunt = Hunt(checker, case, _with_input_held(checker, case))
    hunt.decide()
    if hunt.against is not None:
        point, trial = hunt.shown()
        finding = _refuted(case, trial, checker.shown(case, point))
        if trial.verdict == UNDEFINED:
            where = ", ".join(f"{name} = {number:.6g}" for name, number in finding.at.items())
            finding.note = f"undefined at {where}, where the truth is not"
        elif at_point is not None and at_point.verdict == SUPPORTS:
            where = ", ".join(f"{name} = {number:.6g}" for name, number in finding.at.items())
            text = f"true at the given point, false at {where}"
            finding.reasons.append(Reason("only-at-point", text, "true at the given point, but not everywhere"))
        return finding
    if hunt.convinced:
        return Finding(claim, RIGHT, points=hunt.supports(), regions=hunt.regions())
    return Finding(claim, UNTESTED, note=hunt.doubt(), points=hunt.supports(), regions=hunt.regions())


def _with_input_held(checker: Checker, case: Case) -> Callable[[Point], BoundedPass]:
    """Return how to run the program: with everything free, but for an input with a number whose data is claimed."""
    names = {index: name for name, index in checker.program.inputs.items()}
    claim = case.claim
    held = names.get(claim.node, "") if claim.by is None else ""
    if not held or not checker.is_given(held):
        return checker.runner(case)

    def run(point: Point) -> BoundedPass:
        free = zip(checker.names, point, strict=True)
        return checker.run_partly({name: number for name, number in free if name != held})

    return run


def _number(checker: Checker, name: str) -> float:
    return checker.at.data[checker.program.inputs[name]]


def _refuted(case: Case, trial: Trial, at: dict[str, float]) -> Finding:
    claimed = trial.claimed.number if trial.verdict == REFUTES else None
    return Finding(case.claim, WRONG, claimed=claimed, truth=trial.truth.number, at=at, points=1, regions=1)


class Hunt:
    """The search for a point that refutes one claim, and the record of where it was tried.

    Args:
        checker: the program, and what its claims share.
        case: the claim.
        run: how the program is run at a point.

    Attributes:
        trials: every point where the truth is defined, with what it says.
        against: a point that refutes the claim, or, where it is undefined at several, one of those; None so far.
    """

    def __init__(self, checker: Checker, case: Case, run: Callable[[Point], BoundedPass]) -> None:
        self.checker = checker
        self.case = case
        self.run = run
        self.trials: list[tuple[Point, Trial]] = []
        self.against: tuple[Point, Trial] | None = None
        self.left = checker.budget
        self.elsewhere: list[Point] = []
        self._undefined: list[tuple[Point, Trial]] = []
        self._chance = random.Random(f"{checker.program.text}\n{case.claim.text}")
        relevant = set(case.variables)
        self.places = [place for place, name in enumerate(checker.names) if name in relevant]

    # Trying points

    def attempt(self, point: Point) -> Trial:
        """Try the claim at a point and keep the record."""
        self.left -= 1
        trial = self.case.trial(self.run(point))
        if trial.verdict == NOWHERE:
            self.elsewhere.append(point)
            return trial
        self.trials.append((point, trial))
        if trial.verdict == REFUTES:
            self.against = self.against or (point, trial)
        elif trial.verdict == UNDEFINED:
            self._undefined.append((point, trial))
            if len(self._undefined) >= UNDEFINED_ENOUGH:
                self.against = self.against or self._undefined[0]
        return trial

    @property
    def over(self) -> bool:
        """Whether there is nothing more to find out, or no budget to do it."""
        return self.against is not None or self.left <= 0

    def supports(self) -> int:
        """Return how many points support the claim."""
        return sum(trial.verdict == SUPPORTS for _, trial in self.trials)

    def regions(self) -> int:
        """Return in how many cells those points lie."""
        return len({trial.cell for _, trial in self.trials if trial.verdict == SUPPORTS})

    @property
    def convinced(self) -> bool:
        """Whether nothing speaks against the claim, and enough for it."""
        needed = NEEDED if self.case.variables else 1
        return self.against is None and self.supports() >= needed and not self.lacking()

    def decide(self) -> None:
        """Try the claim wherever a search finds something new."""
        if not self.case.variables:
            self.attempt(tuple([1.0] * len(self.checker.names)))
            if not self.convinced:
                self._sharpen()
            return
        self._draw()
        for search in (
            self._try_constants,
            self._find_domain,
            self._explore_kinks,
            self._explore_roots,
            self._fill_cells,
        ):
            if self.over:
                break
            search()
        if self.against is None and not self.convinced:
            self._sharpen()

    def _sharpen(self) -> None:
        """Decide points where doubles lose too many digits in 60 digits, if that can be done."""
        if not is_available():
            return
        counts: dict[Any, int] = {}
        for place, (point, trial) in enumerate(self.trials):
            if trial.verdict != SILENT or trial.cell is None or counts.get(trial.cell, 0) >= NEEDED:
                continue
            sharp = sharpened(self.case, trial)
            self.trials[place] = point, sharp
            counts[trial.cell] = counts.get(trial.cell, 0) + (sharp.verdict != SILENT)
            if sharp.verdict == REFUTES:
                self.against = point, sharp
                return

    def _draw(self) -> None:
        for number in range(min(_POOLED, self.left // 4)):
            self.attempt(self.checker.pooled(number))
            if self.over:
                return
        for _ in range(min(_OWN, self.left // 4)):
            self.attempt(self._random_point())
            if self.over:
                return

    def _try_constants(self) -> None:
        """Try every constant, and what is near it, for every variable; the other variables are random."""
        wanted = [
            (place, sign * number)
            for constant in self.special
            for number in neighbourhood(constant)
            for place in self.places
            for sign in (1.0, -1.0)
        ]
        self._chance.shuffle(wanted)
        for place, number in wanted[: min(_NEAR_CONSTANTS, self.left // 4)]:
            point = self._random_point()
            self.attempt((*point[:place], number, *point[place + 1 :]))
            if self.over:
                return

    def _random_point(self) -> Point:
        return draw(self._chance, len(self.checker.names), self.special)

    @cached_property
    def special(self) -> list[float]:
        """The constants of the program and of the right side."""
        told = self.case.right_side(self.run(self.checker.pooled(0)))
        return sorted({*self.checker.special, *constants(told)})

    # The domain

    def _find_domain(self) -> None:
        """Draw until enough points support the claim; if the domain is too small for that, climb into it."""
        drawn = 0
        while self.supports() < NEEDED and drawn < min(DRAWS, self.left // 2):
            drawn += 1
            self.attempt(self._random_point())
            if self.over:
                return
        defined = [point for point, trial in self.trials if trial.verdict != UNDEFINED]
        if len(defined) >= _WIDE_ENOUGH or self.supports() >= NEEDED:
            return
        if not defined:
            for start in sorted(self.elsewhere, key=self._inside, reverse=True)[:_STARTS]:
                point = climb(
                    start, self._inside, lambda height: height == _INSIDE, min(self.left // 4, 300), self.places
                )
                if self.attempt(point).verdict != NOWHERE:
                    defined.append(point)
                    break
        for point in defined[:_STARTS]:
            self._draw_around(point, lambda trial: trial.verdict != NOWHERE, NEEDED)
            if self.over:
                return

    def _inside(self, point: Point) -> tuple[float, float, float]:
        """Return how near a point is to the domain: how many nodes come before the first fault, and by how much it is.

        That of the truth counts first, and then that of the claim.
        """
        ran = self.run(point)
        relevant = set(self.case.relevant)
        for number, (passed, nodes) in enumerate(((ran, relevant), (None, None))):
            if passed is None:
                passed = self.case.right_side(ran)  # noqa: PLW2901
            for fault in passed.faults:
                if nodes is None or fault.at in nodes:
                    return number, fault.at, -math.inf if math.isnan(fault.margin) else fault.margin
        return _INSIDE

    def _draw_around(self, point: Point, fits: Callable[[Trial], bool], wanted: int) -> None:
        """Try points in a box around a point that shrinks until they fit."""
        reach = 0.5
        for _ in range(_TRIES):
            if wanted <= 0 or self.over:
                return
            if fits(self.attempt(around(self._chance, point, reach))):
                wanted -= 1
                reach = min(0.5, reach * 1.5)
            else:
                reach *= 0.5

    # Kinks and roots

    def _sides(self, point: Point) -> list[float] | None:
        """Return the sides of every kink at a point, on them too; None where there is no number."""
        ran = self.run(point)
        told = self.case.right_side(ran)
        sides: list[float] = []
        for passed, kinks in ((ran, self.case.kinks), (told, self.case.right.kinks)):
            for index, measure in kinks:
                if passed.states[index] != FINE:
                    return None
                sides += passed.sides(index, measure)
        return sides

    def _explore_kinks(self) -> None:
        """Look for both sides of every kink."""
        known = [(point, sides) for point, _ in self.trials if (sides := self._sides(point)) is not None]
        if not known:
            return
        for number in range(min(len(known[0][1]), _MOST_QUANTITIES)):
            self._find_both_sides(number, known)
            if self.over:
                return

    def _find_both_sides(self, number: int, known: list[tuple[Point, list[float]]]) -> None:
        def side(point: Point) -> float:
            self.left -= 1
            sides = self._sides(point)
            return math.nan if sides is None else sides[number]

        pairs = [(point, sides[number]) for point, sides in known]
        pairs.sort(key=lambda pair: abs(pair[1]))
        below = [point for point, here in pairs if here < 0.0]
        above = [point for point, here in pairs if here > 0.0]
        if not (below and above):
            found = below or above
            sign = -1.0 if below else 1.0

            def closeness(point: Point) -> float:
                here = sign * side(point)
                return -math.inf if math.isnan(here) else -here

            for start in found[:_STARTS]:
                point = climb(start, closeness, lambda height: height > 0.0, min(self.left // 8, 150), self.places)
                self.attempt(point)
                if self.over:
                    return
                if closeness(point) > 0.0:
                    (below if sign > 0.0 else above).append(point)
                    break
            else:
                return
        for point in self._root(below[0], above[0], side):
            self._try_near(point, self.places[:_MOST_QUANTITIES])

    def _explore_roots(self) -> None:
        """Look around the roots of denominators, bases, exponents and other operands."""
        case = self.case
        wanted: list[tuple[bool, int]] = []
        for is_right, bounded, nodes in ((False, case.bounded, case.relevant), (True, case.right, None)):
            program = bounded.program
            for index in range(len(program)) if nodes is None else nodes:
                rule = program.rule(index)
                if rule.name in _PLAIN or not program.live[index]:
                    continue
                for operand in program.operands[index]:
                    if program.live[operand] and (program.rule(operand) is not INPUT or is_right):
                        wanted.append((is_right, operand))
        for is_right, index in list(dict.fromkeys(wanted))[:_MOST_QUANTITIES]:

            def number(point: Point, is_right: bool = is_right, index: int = index) -> float:
                self.left -= 1
                ran = self.run(point)
                return (self.case.right_side(ran) if is_right else ran).data[index]

            below, above = None, None
            for point, trial in self.trials:
                passed: BoundedPass | None = trial.told if is_right else trial.ran
                here = math.nan if passed is None else passed.data[index]
                if here < 0.0:
                    below = point
                elif here > 0.0:
                    above = point
            if below is not None and above is not None:
                point, _ = self._root(below, above, number)
                self._try_near(point, self._chance.sample(self.places, min(2, len(self.places))))
            if self.over:
                return

    def _root(self, below: Point, above: Point, quantity: Callable[[Point], float]) -> tuple[Point, Point]:
        """Return two points on either side of a root of a quantity, between two where it has opposite signs."""

        def sign(point: Point) -> int:
            here = quantity(point)
            return (here > 0.0) - (here < 0.0)

        return bisect(below, above, sign)

    def _try_near(self, point: Point, places: Sequence[int]) -> None:
        """Try a point and, one variable at a time, its neighbourhood."""
        self.attempt(point)
        for place in places:
            for number in neighbourhood(point[place]):
                if self.over:
                    return
                self.attempt((*point[:place], number, *point[place + 1 :]))

    # Cells

    def _cells(self) -> dict[tuple[bool, ...], list[Point]]:
        """Return the points of every cell that was found, those that support first."""
        cells: dict[tuple[bool, ...], list[Point]] = {}
        for point, trial in sorted(self.trials, key=lambda pair: pair[1].verdict != SUPPORTS):
            if trial.cell is not None and trial.verdict in (SUPPORTS, SILENT):
                cells.setdefault(trial.cell, []).append(point)
        return cells

    def lacking(self) -> dict[tuple[bool, ...], Point]:
        """Return a point of every cell that has too few supports."""
        counts: dict[Any, int] = {}
        for _, trial in self.trials:
            counts[trial.cell] = counts.get(trial.cell, 0) + (trial.verdict == SUPPORTS)
        needed = NEEDED_IN_A_CELL if self.case.variables else 1
        return {cell: points[0] for cell, points in self._cells().items() if counts[cell] < needed}

    def _fill_cells(self) -> None:
        """Try more points in the cells that have too few supports."""
        for cell, point in self.lacking().items():

            def fits(trial: Trial, cell: tuple[bool, ...] = cell) -> bool:
                return trial.cell == cell and trial.verdict == SUPPORTS

            self._draw_around(point, fits, NEEDED_IN_A_CELL)
            if self.over:
                return

    # Telling

    def shown(self) -> tuple[Point, Trial]:
        """Return a simple point against the claim, near the one that was found or simpler still."""
        assert self.against is not None
        found, against = self.against
        best = None
        for point in (*simple_points(len(found)), *roundings(found)):
            trial = self.case.trial(self.run(point))
            if trial.verdict != against.verdict:
                continue
            if trial.verdict == UNDEFINED or f"{trial.truth.number:.6g}" != f"{trial.claimed.number:.6g}":
                return point, trial
            best = best or (point, trial)
        return best or self.against

    def doubt(self) -> str:
        """Return why the claim could not be decided."""
        if not self.trials:
            return "no point was found where it is defined"
        lacking = self.lacking()
        if self.supports() >= NEEDED and lacking:
            point = next(iter(lacking.values()))
            at = self.checker.shown(self.case, point)
            where = ", ".join(f"{name} = {number:.6g}" for name, number in at.items())
            return f"it holds elsewhere, but near {where} too few points could be told apart from rounding" + (
                "" if is_available() else _MORE_DIGITS
            )
        if all(trial.verdict == UNDEFINED or trial.claimed.state != FINE for _, trial in self.trials):
            return "no point was found where both sides are defined"
        return "too few points could be told apart from rounding" + ("" if is_available() else _MORE_DIGITS)


_MORE_DIGITS = "; minigrad[precise] would try them in 60 digits"

_INSIDE = (math.inf, 0.0, 0.0)
