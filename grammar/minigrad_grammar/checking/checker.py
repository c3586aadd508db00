"""A program under examination: what claims about it have in common, and the verdict on each."""

from __future__ import annotations

import math
import random
from functools import cached_property
from typing import TYPE_CHECKING

from minigrad_grammar.bounded import UNKNOWN, BoundedPass, BoundedProgram, Sure
from minigrad_grammar.checking.identity import decide_identity
from minigrad_grammar.checking.numbers import decide_number
from minigrad_grammar.checking.points import Point, constants, draw
from minigrad_grammar.checking.reasons import explain
from minigrad_grammar.checking.trial import Case

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from minigrad.choices import Conventions
    from minigrad_grammar.checking.claims import Claim
    from minigrad_grammar.checking.finding import Finding
    from minigrad_grammar.program import Program


class Checker:
    """A program, the point that its claims are about, and the passes over it that they share.

    Args:
        program: the program.
        conventions: those to evaluate it under.
        given: the numbers of variables, each with the bound of its error (0.1 is no double). Defaults count as given.
        rel_tol: the relative tolerance for claimed numbers, in place of the error bound and of rounding; or None.
    """

    def __init__(
        self,
        program: Program,
        conventions: Conventions,
        given: Mapping[str, Sure] | None = None,
        rel_tol: float | None = None,
    ) -> None:
        self.program = program
        self.conventions = conventions
        self.rel_tol = rel_tol
        self.bounded = BoundedProgram(program, conventions)
        self.names = list(program.inputs)
        self.given = dict(given or {})
        self._chance = random.Random(program.text)
        self._pool: list[Point] = []
        self._passes: dict[Point, BoundedPass] = {}

    def budget(self, case: Case) -> int:
        """Return how many points a claim may cost, so that a long program or claim takes seconds and no more."""
        return max(_FEWEST, min(_MOST, _NODES // (len(self.program) + len(case.claim.right))))

    @cached_property
    def at(self) -> BoundedPass:
        """The pass at the given point; variables without a number are unknown in it."""
        return self.run_partly({})

    def run_partly(self, free: Mapping[str, float]) -> BoundedPass:
        """Run the program at the given point, with numbers for some variables that it leaves free."""
        program = self.program
        inputs = {program.inputs[name]: sure for name, sure in self.given.items()}
        inputs |= {program.inputs[name]: Sure(number) for name, number in free.items()}
        for name, index in program.inputs.items():
            if name not in program.defaults:
                inputs.setdefault(index, Sure(math.nan, math.inf, UNKNOWN))
        return self.bounded.run(inputs)

    def is_given(self, name: str) -> bool:
        """Whether a variable has a number at the given point."""
        return name in self.given or name in self.program.defaults

    def runner(self, case: Case) -> Callable[[Point], BoundedPass]:
        """Return how to run the program for one claim: only what matters to it, where that is a small part."""
        if len(self.program) < _WORTH_LEAVING_OUT or 2 * len(case.relevant) > len(self.program):
            return self.run
        return lambda point: self.bounded.run(self._inputs(point), only=case.relevant)

    def _inputs(self, point: Point) -> dict[int, Sure]:
        return {index: Sure(point[place]) for place, index in enumerate(self.program.inputs.values())}

    def run(self, point: Point) -> BoundedPass:
        """Run the program at a point; remember the pass for the next claim."""
        if point in self._passes:
            return self._passes[point]
        ran = self.bounded.run(self._inputs(point))
        if len(self._passes) * len(self.program) < _REMEMBERED:
            self._passes[point] = ran
        return ran

    def pooled(self, number: int) -> Point:
        """Return the ``number``-th of the points that every claim is tried at."""
        while len(self._pool) <= number:
            self._pool.append(draw(self._chance, len(self.names), self.special))
        return self._pool[number]

    @cached_property
    def special(self) -> list[float]:
        """The constants of the program: its literals, and what is computed from them alone."""
        ran = self.bounded.run({index: Sure(1.0) for index in self.program.inputs.values()})
        return constants(ran)

    def shown(self, names: Sequence[str], ran: BoundedPass) -> dict[str, float]:
        """Return the numbers of some variables at a pass."""
        return {name: ran.data[self.program.inputs[name]] for name in names}

    def check(self, claim: Claim) -> Finding:
        """Decide a claim, and say of a wrong one what probably went wrong."""
        case = Case(claim, self.bounded, self.conventions)
        decide = decide_identity if claim.is_identity else decide_number
        finding = decide(self, case)
        if claim.by is not None and claim.by not in self.bounded.below(claim.node):
            labels = self.program.labels
            finding.note = f"{labels[claim.node]} does not depend on {labels[claim.by]}"
        explain(self, case, finding)
        return finding


_WORTH_LEAVING_OUT = 1000
# A claim on a short program may cost _MOST points, on a long one so many that they are _NODES nodes, but _FEWEST.
_MOST = 4000
_FEWEST = 100
_NODES = 600_000
_REMEMBERED = 2_000_000
