"""What a wrong claim is confronted with: a few points with the truth and the claimed number, and guesses at a slip."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from minigrad.steps import ARITHMETIC_FAULTS
from minigrad_grammar.bounded import FINE, BoundedPass, Sure
from minigrad_grammar.checking.numbers import accepts
from minigrad_grammar.checking.trial import SAFETY, agree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from minigrad_grammar.checking.checker import Checker
    from minigrad_grammar.checking.trial import Case

SLACK = 1e-11
"""What slips predict carries no bound of its own, but few roundings: this much, relatively, covers them."""

ENOUGH = 3
"""A formula must agree with a guess at so many points."""


class Witness(NamedTuple):
    """A point with both numbers there: the program's pass, the truth, what is claimed, and the right side's pass."""

    ran: BoundedPass
    truth: Sure
    claimed: Sure
    told: BoundedPass


def data_of(witness: Witness, index: int) -> float:
    """Return a node's number at a point."""
    return witness.ran.data[index]


def slope_of(witness: Witness, top: int, by: int) -> float:
    """Return the derivative of a node by another at a point."""
    return witness.ran.derivative(top, by).number


class Guess(NamedTuple):
    """What a slip would have given, as a number at each point (None where it gives none), and how to tell of it."""

    predict: Callable[[Witness], Sure | float | None]
    text: str
    hint: str
    choice: tuple[str, object] | tuple[()] = ()


class Evidence:
    """A wrong claim, and the points at which a guess must explain it.

    Attributes:
        checker, case: the program and the claim.
        witnesses: the points; for a claimed number, one.
        top, by: the node that the claim is about, and by which; None for its data.
    """

    def __init__(self, checker: Checker, case: Case, witnesses: Sequence[Witness]) -> None:
        self.checker = checker
        self.case = case
        self.claim = case.claim
        self.program = checker.program
        self.witnesses = witnesses
        self.top = case.claim.node
        self.by = case.claim.by

    @property
    def first(self) -> Witness:
        """The point that quick tests are made at."""
        return self.witnesses[0]

    def label(self, index: int) -> str:
        """Return a node's name."""
        return self.program.labels[index]

    def name(self, index: int) -> str:
        """Return how to speak of a node: by the name that the program gave it, or else by a short expression."""
        expression = self.program.expression(index, self.first.ran.data)
        named = index in self.program.names or index == self.program.output or len(expression) > _SHORT
        return self.label(index) if named and index in self.program.labels else expression

    def equation(self, index: int) -> str:
        """Return a node with its expression: "c = a*b"."""
        expression = self.program.expression(index, self.first.ran.data)
        return f"{self.label(index)} = {expression}" if index in self.program.labels else expression

    def likely(self, number: float) -> bool:
        """Whether a number might be what is claimed at the first point: a quick test, to be confirmed."""
        claimed = self.first.claimed.number
        if not math.isfinite(number):
            return False
        near = 1e-6 * max(abs(number), abs(claimed)) + SAFETY * (self.first.truth.error + self.first.claimed.error)
        return abs(number - claimed) <= max(near, float(self.claim.quantum or 0.0))

    def explains(self, guess: Guess) -> bool:
        """Whether a guess gives what is claimed at every point where it gives anything, and not the truth."""
        agreed, differs = 0, False
        for witness in self.witnesses:
            try:
                predicted = guess.predict(witness)
            except ARITHMETIC_FAULTS:
                continue
            if predicted is None:
                continue
            number = predicted if isinstance(predicted, Sure) else Sure(predicted)
            if number.state != FINE or not math.isfinite(number.number):
                continue
            number = number._replace(error=number.error + SLACK * abs(number.number))
            if not self._is_claimed(number, witness.claimed):
                return False
            agreed += 1
            differs = differs or not agree(number, witness.truth)
        return differs and agreed >= min(ENOUGH, len(self.witnesses))

    def _is_claimed(self, predicted: Sure, claimed: Sure) -> bool:
        if self.claim.is_identity:
            return agree(predicted, claimed)
        return predicted.error < math.inf and accepts(self.claim, predicted, claimed, self.checker.rel_tol)

    # The graph between the node and what it is differentiated by

    @cached_property
    def between(self) -> list[int]:
        """The nodes on the paths from ``by`` up to ``top``, both included, in evaluation order."""
        if self.by is None or self.by not in self.checker.bounded.below(self.top):
            return []
        depends = {self.by}
        for index in self.checker.bounded.below(self.top):
            if index > self.by and any(operand in depends for operand in self.program.operands[index]):
                depends.add(index)
        return sorted(depends)

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """The steps of those paths: (node, place of the operand)."""
        on_path = set(self.between)
        found = [
            (index, place)
            for index in self.between
            if index != self.by
            for place, operand in enumerate(self.program.operands[index])
            if operand in on_path and place < len(self.first.ran.local[index])
        ]
        return found[:MOST_EDGES]

    @cached_property
    def tangents(self) -> dict[int, float]:
        """The derivative of every node between by ``by``, at the first point."""
        found: dict[int, float] = {}
        ran = self.first.ran
        for index in self.between:
            slopes = zip(self.program.operands[index], ran.local[index])  # noqa: B905  # an exponent has no slope
            found[index] = 1.0 if index == self.by else sum(found.get(at, 0.0) * slope for at, slope in slopes)
        return found

    def passed(self, edge: tuple[int, int]) -> float:
        """Return what comes along one step of a path, at the first point."""
        index, place = edge
        ran = self.first.ran
        upstream = ran.derivative(self.top, index).number
        return upstream * ran.local[index][place] * self.tangents[self.program.operands[index][place]]

    def is_bridge(self, edge: tuple[int, int]) -> bool:
        """Whether every path takes this step, so that leaving it out leaves nothing."""
        reached = {self.by}
        for index in self.between:
            if index == self.by:
                continue
            for place, operand in enumerate(self.program.operands[index]):
                if operand in reached and (index, place) != edge:
                    reached.add(index)
        return self.top not in reached

    def with_slope(self, witness: Witness, edits: dict[tuple[int, int], float]) -> Sure:
        """Return the derivative with other local derivatives in some places."""
        assert self.by is not None
        slopes = {edge: Sure(slope) for edge, slope in edits.items()}
        grads, errors = witness.ran.sweep(self.top, slopes)
        return Sure(grads[self.by], errors[self.by])

    def if_slope_were(self, edge: tuple[int, int], slope: float) -> float:
        """Return the derivative with one other local derivative, at the first point; quick, for ``likely``."""
        index, place = edge
        ran = self.first.ran
        upstream = ran.derivative(self.top, index).number
        tangent = self.tangents[self.program.operands[index][place]]
        return self.first.truth.number + upstream * (slope - ran.local[index][place]) * tangent

    def tangent_is_likely(self, index: int, tangent: float) -> bool:
        """Whether the derivative might be as claimed if a node's own derivative by ``by`` were another."""
        upstream = self.first.ran.derivative(self.top, index).number
        return self.likely(self.first.truth.number + upstream * (tangent - self.tangents[index]))

    def runs(self) -> int:
        """Return how many other versions of the program may be run for one reason."""
        return max(_FEWEST_RUNS, min(_MOST_RUNS, _RUN_NODES // len(self.program)))

    def if_tangent_were(self, witness: Witness, index: int, tangent: float) -> Sure:
        """Return the derivative if a node's own derivative by ``by`` were another."""
        assert self.by is not None
        upstream = witness.ran.derivative(self.top, index)
        own = witness.ran.derivative(index, self.by)
        error = witness.truth.error + abs(upstream.number) * own.error + abs(own.number) * upstream.error
        return Sure(witness.truth.number + upstream.number * (tangent - own.number), error)


_SHORT = 40
"""An expression of so many characters may stand for a name."""

_FEWEST_RUNS, _MOST_RUNS, _RUN_NODES = 4, 200, 60_000

MOST_EDGES = 2000
"""In a long program, so many steps of paths are looked at."""
