"""The hunt for a point that refutes one claim, and the record of where it was tried."""

from __future__ import annotations

import random
from functools import cached_property
from typing import TYPE_CHECKING, Any

from minigrad_grammar.bounded import FINE
from minigrad_grammar.checking import domain, kinks
from minigrad_grammar.checking.finding import told_at
from minigrad_grammar.checking.points import (
    Point,
    around,
    constants,
    draw,
    moved,
    neighbourhood,
    roundings,
    simple_points,
)
from minigrad_grammar.checking.precise import is_available, lost_digits, sharpened
from minigrad_grammar.checking.trial import NEEDED, NOWHERE, REFUTES, SILENT, SUPPORTS, UNDEFINED, Case, Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from minigrad_grammar.bounded import BoundedPass
    from minigrad_grammar.checking.checker import Checker

NEEDED_IN_A_CELL = 3
"""So many must do so in every cell."""

UNDEFINED_ENOUGH = 2
"""At so many points only the truth must be defined for a claim to be wrong."""

# How many points each way of choosing them may cost, and at most a quarter of what is left.
_POOLED, _OWN, _NEAR_CONSTANTS = 64, 16, 150
_SHARE = 4

_TRIES_AROUND = 40
_REACH_IN_A_CELL = 2.0**-7
_MOST_MOVED = 20
_MORE_DIGITS = "; minigrad[precise] would try them in 60 digits"


class Hunt:
    """The hunt for a point that refutes one claim.

    Args:
        checker: the program, and what its claims share.
        case: the claim.
        run: how the program is run at a point.

    Attributes:
        trials: every point where the truth is defined, with what it says.
        elsewhere: the points where it is not.
        supports: how many points support the claim.
        against: a point that refutes the claim, or, where it is undefined at several, one of those; None so far.
        left: how many more points may be tried.
        unsearched: why the search for regions was left unfinished, or "".
        places: the coordinates of the variables that matter.
        chance: where the luck comes from.
    """

    def __init__(self, checker: Checker, case: Case, run: Callable[[Point], BoundedPass]) -> None:
        self.checker = checker
        self.case = case
        self.run = run
        self.trials: list[tuple[Point, Trial]] = []
        self.elsewhere: list[Point] = []
        self.against: tuple[Point, Trial] | None = None
        self.supports = 0
        self.left = checker.budget(case)
        self.unsearched = ""
        self._sharpened = 0
        self._tried: dict[Point, Trial] = {}
        self._undefined: list[tuple[Point, Trial]] = []
        self.chance = random.Random(f"{checker.program.text}\n{case.claim.text}")
        relevant = set(case.variables)
        self.places = [place for place, name in enumerate(checker.names) if name in relevant]

    def attempt(self, point: Point) -> Trial:
        """Try the claim at a point and keep the record; a point that was tried before counts once."""
        self.left -= 1
        key = tuple([point[place] for place in self.places])
        if key in self._tried:
            return self._tried[key]
        trial = self._tried[key] = self.case.trial(self.run(point))
        if trial.verdict == NOWHERE:
            self.elsewhere.append(point)
            return trial
        self.trials.append((point, trial))
        self.supports += trial.verdict == SUPPORTS
        if trial.verdict == REFUTES:
            self.against = self.against or (point, trial)
        elif trial.verdict == UNDEFINED:
            self._undefined.append((point, trial))
            if len(self._undefined) >= UNDEFINED_ENOUGH:
                self.against = self.against or self._undefined[0]
        return trial

    def attempt_all(self, points: Iterable[Point]) -> None:
        """Try points until there is nothing more to find out."""
        for point in points:
            if self.over:
                return
            self.attempt(point)

    @property
    def over(self) -> bool:
        """Whether there is nothing more to find out, or no budget to do it."""
        return self.against is not None or self.left <= 0

    def share(self, most: int) -> int:
        """Return how many points one search may cost."""
        return min(most, self.left // _SHARE)

    @property
    def regions(self) -> int:
        """In how many cells those points lie."""
        return len({trial.cell for _, trial in self.trials if trial.verdict == SUPPORTS})

    @property
    def convinced(self) -> bool:
        """Whether nothing speaks against the claim, enough for it, and no search was left unfinished."""
        needed = NEEDED if self.case.variables else 1
        enough = self.supports >= needed and not self.lacking()
        return self.against is None and enough and not self.unsearched and not self._is_doubtful

    @property
    def _is_doubtful(self) -> bool:
        """Whether more points say nothing than support the claim, and too few of them were decided in more digits."""
        silent = sum(trial.verdict == SILENT and lost_digits(trial) for _, trial in self.trials)
        return silent > self.supports and self._sharpened < NEEDED

    def decide(self) -> None:
        """Try the claim wherever a search finds something new."""
        if not self.case.variables:
            self.attempt(tuple([1.0] * len(self.checker.names)))
        else:
            self.attempt_all(self.checker.pooled(number) for number in range(self.share(_POOLED)))
            self.attempt_all(self.random_point() for _ in range(self.share(_OWN)))
            self.attempt_all(self._near_constants())
            # Cells are to be filled with a third of what is left, whatever the searches cost.
            kept = self.left // 3
            self.left -= kept
            for search in (domain.enter, kinks.explore_kinks, kinks.explore_roots):
                if not self.over:
                    search(self)
            self.left = max(self.left, 0) + kept
            self._fill_cells()
        if self.against is None:
            self._sharpen(only_sides=self.convinced)

    def random_point(self) -> Point:
        """Return a random point."""
        return draw(self.chance, len(self.checker.names), self._special)

    @cached_property
    def _special(self) -> list[float]:
        """The constants of the program and of the right side."""
        told = self.case.right_side(self.run(self.checker.pooled(0)))
        return sorted({*self.checker.special, *constants(told)})

    def _near_constants(self) -> list[Point]:
        """Return points at and near every constant, for every variable; the other variables are random."""
        wanted = [
            (place, sign * number)
            for constant in self._special
            for number in neighbourhood(constant)
            for place in self.places
            for sign in (1.0, -1.0)
        ]
        self.chance.shuffle(wanted)
        return [moved(self.random_point(), *one) for one in wanted[: self.share(_NEAR_CONSTANTS)]]

    def try_near(self, point: Point, places: Sequence[int]) -> None:
        """Try a point and, one variable at a time, its neighbourhood."""
        self.attempt_all([point])
        for place in places:
            self.attempt_all(moved(point, place, number) for number in neighbourhood(point[place]))

    def draw_around(self, point: Point, fits: Callable[[Trial], bool], wanted: int, reach: float) -> None:
        """Try points in a box around a point that shrinks until they fit; ``reach`` is its first size, relatively."""
        for _ in range(_TRIES_AROUND):
            if wanted <= 0 or self.over:
                return
            if fits(self.attempt(around(self.chance, point, reach))):
                wanted -= 1
                reach = min(0.5, reach * 1.5)
            else:
                reach *= 0.5

    # Cells

    def lacking(self) -> dict[tuple[bool, ...], Point]:
        """Return a point of every cell that was found and has too few supports; one that supports, if there is one."""
        counts: dict[Any, int] = {}
        members: dict[tuple[bool, ...], Point] = {}
        for point, trial in self.trials:
            if trial.cell is None or trial.verdict not in (SUPPORTS, SILENT):
                continue
            supports = trial.verdict == SUPPORTS
            if supports and not counts.get(trial.cell):
                members[trial.cell] = point
            members.setdefault(trial.cell, point)
            counts[trial.cell] = counts.get(trial.cell, 0) + supports
        needed = NEEDED_IN_A_CELL if self.case.variables else 1
        return {cell: point for cell, point in members.items() if counts[cell] < needed}

    def _fill_cells(self) -> None:
        """Try more points in the cells that have too few supports."""
        for cell, point in self.lacking().items():

            def fits(trial: Trial, cell: tuple[bool, ...] = cell) -> bool:
                return trial.cell == cell and trial.verdict == SUPPORTS

            self.draw_around(point, fits, NEEDED_IN_A_CELL, _REACH_IN_A_CELL)

    def _sharpen(self, *, only_sides: bool) -> None:
        """Decide points where doubles lose too many digits in 60 digits, if that can be done.

        With ``only_sides``, only those where it is not known on which side of a kink they are.
        """
        if not is_available():
            return
        counts: dict[Any, int] = {}
        for place, (point, trial) in enumerate(self.trials):
            vague = trial.verdict == SILENT and lost_digits(trial)
            if not vague or (only_sides and not trial.blurred) or counts.get(trial.cell, 0) >= NEEDED:
                continue
            sharp = sharpened(self.case, trial)
            self.trials[place] = point, sharp
            counts[trial.cell] = counts.get(trial.cell, 0) + (sharp.verdict != SILENT)
            self._sharpened += sharp.verdict == SUPPORTS
            self.supports += sharp.verdict == SUPPORTS
            if sharp.verdict == REFUTES:
                self.against = point, sharp
                return

    # Telling

    def shown(self) -> tuple[Point, Trial]:
        """Return a simple point against the claim, near the one that was found or simpler still."""
        assert self.against is not None
        found, against = self.against
        best = None
        for point in (*self._beside_the_given_point(), *simple_points(len(found)), *roundings(found)):
            trial = self.case.trial(self.run(point))
            if trial.verdict != against.verdict:
                continue
            if trial.verdict == UNDEFINED or f"{trial.truth.number:.6g}" != f"{trial.claimed.number:.6g}":
                return point, trial
            best = best or (point, trial)
        return best or self.against

    def _beside_the_given_point(self) -> Iterator[Point]:
        """Yield the given point, if there is one, with one variable moved by a simple step."""
        checker = self.checker
        if not all(map(checker.is_given, checker.names)):
            return
        given = tuple(checker.shown(checker.names, checker.at).values())
        for place in self.places[:_MOST_MOVED]:
            for step in (1.0, -1.0, 0.5, 2.0, -3.0):
                yield moved(given, place, given[place] + step)

    def doubt(self) -> str:
        """Return why the claim could not be decided."""
        if not self.trials:
            return "no point was found where it is defined"
        more_digits = "" if is_available() else _MORE_DIGITS
        if all(trial.cell is None and trial.claimed.state == FINE and not trial.blurred for _, trial in self.trials):
            return "every point that was tried lies on a kink"
        lacking = self.lacking()
        if self.supports >= NEEDED and not lacking and self.unsearched:
            return f"it holds where it was tried, but {self.unsearched}"
        if self.supports >= NEEDED and lacking:
            at = told_at(self.checker.shown(self.case.variables, self.run(next(iter(lacking.values())))))
            few = f"near {at} too few points could be told apart from rounding"
            return f"it holds elsewhere, but {few}{more_digits}"
        if all(trial.verdict == UNDEFINED or trial.claimed.state != FINE for _, trial in self.trials):
            return "no point was found where both sides are defined"
        return f"too few points could be told apart from rounding{more_digits}"
