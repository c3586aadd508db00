"""One claim at one point: the truth and the claimed number, each with its error bound, and what they say together."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from minigrad_grammar.bounded import FINE, OUTSIDE, BoundedPass, BoundedProgram, Sure

if TYPE_CHECKING:
    from minigrad.choices import Conventions
    from minigrad_grammar.bounded import Kinks
    from minigrad_grammar.checking.claims import Claim

REFUTES, SUPPORTS, UNDEFINED, SILENT, NOWHERE = "refutes", "supports", "undefined", "silent", "nowhere"
"""What a point says: the two differ; they agree; only the truth is defined; nothing; the truth is not defined."""

SAFETY = 4.0
"""Numbers differ when they are further apart than this many times the sum of their bounds."""

NEEDED = 12
"""So many points must support an identity, and of an identity without variables one."""

SHARP = 1e-10
"""A point supports a claim only if the bounds are so small beside the numbers."""


class Trial(NamedTuple):
    """A claim at a point.

    Attributes:
        ran: the program's forward pass there.
        truth, claimed: both numbers.
        verdict: what the point says.
        cell: on which side of every kink the point lies; None where that is not known.
        told: the right side's own forward pass; None if it was not run.
        blurred: whether an operand is within its bound of a kink, and not on it.
    """

    ran: BoundedPass
    truth: Sure
    claimed: Sure
    verdict: str
    cell: tuple[bool, ...] | None = None
    told: BoundedPass | None = None
    blurred: bool = False


class Case:
    """A claim ready to be tried at points.

    Attributes:
        reference: the pass whose truth is claimed, in place of the right side; None for a claim as it stands.
        against: what was found to refute the claim, if anything.
    """

    reference: BoundedPass | None = None
    against: Trial | None = None

    def __init__(self, claim: Claim, bounded: BoundedProgram, conventions: Conventions) -> None:
        self.claim = claim
        self.bounded = bounded
        self.right = BoundedProgram(claim.right, conventions)

    @cached_property
    def relevant(self) -> list[int]:
        """The instructions that the truth or the claimed number is computed from."""
        tops = {self.claim.node, *self.claim.used.values()}
        return sorted({index for top in tops for index in self.bounded.below(top)})

    @cached_property
    def variables(self) -> list[str]:
        """The variables that matter."""
        relevant = set(self.relevant)
        return [name for name, index in self.bounded.program.inputs.items() if index in relevant]

    @cached_property
    def kinks(self) -> Kinks:
        """The kinks of all that the truth, or a node that the right side names, is computed from."""
        relevant = set(self.relevant)
        return [(index, told) for index, told in self.bounded.kinks if index in relevant]

    def truth(self, ran: BoundedPass) -> Sure:
        """Return the number that the claim is about."""
        claim = self.claim
        return ran.sure(claim.node) if claim.by is None else ran.derivative(claim.node, claim.by)

    def right_side(self, ran: BoundedPass) -> BoundedPass:
        """Run the right side on the numbers of a pass; only once, if it names none."""
        return self._run_right(ran) if self.claim.is_identity else self._right_number

    @cached_property
    def _right_number(self) -> BoundedPass:
        return self.right.run({})

    def _run_right(self, ran: BoundedPass) -> BoundedPass:
        return self.right.run({index: ran.sure(node) for index, node in self.claim.used.items()})

    def claimed(self, ran: BoundedPass, told: BoundedPass) -> Sure:
        """Return the claimed number; ``told`` is the right side's pass at the point of ``ran``."""
        return told.sure(self.claim.right.output)

    def all_sides(self, ran: BoundedPass, told: BoundedPass) -> list[tuple[float, float]]:
        """Return the sides of every kink of the truth and of the right side, each with the bound of its error.

        Where a node has no number its sides are nan.
        """
        return [
            (side if passed.states[index] == FINE else math.nan, passed.reach(index))
            for passed, kinks in ((ran, self.kinks), (told, self.right.kinks))
            for index, measure in kinks
            for side in passed.sides(index, measure)
        ]

    def trial(self, ran: BoundedPass, *, conventions_decide: bool = False) -> Trial:
        """Try the claim at the point of a pass.

        Args:
            ran: the program's forward pass.
            conventions_decide: whether an exact kink is to be tested too: there the truth is a matter of convention.
        """
        truth = self.truth(ran)
        told = self.right_side(ran)
        claimed = self.claimed(ran, told)
        if truth.state != FINE:
            return Trial(ran, truth, claimed, NOWHERE, told=told)
        if claimed.state == OUTSIDE and truth.error < math.inf:
            return Trial(ran, truth, claimed, UNDEFINED, told=told)
        if claimed.state != FINE:
            return Trial(ran, truth, claimed, SILENT, told=told)
        sides = self.all_sides(ran, told)
        near = [(side, reach) for side, reach in sides if not abs(side) > reach]
        if conventions_decide and all(side == reach == 0.0 for side, reach in near):
            near = []
        if near:
            blurred = all(side != 0.0 for side, _ in near)
            return Trial(ran, truth, claimed, SILENT, told=told, blurred=blurred)
        cell = tuple([side > 0.0 for side, _ in sides])
        return Trial(ran, truth, claimed, compared(truth, claimed), cell, told)


def compared(truth: Sure, claimed: Sure) -> str:
    """Return what two numbers say of the claim that they are the same."""
    error = truth.error + claimed.error
    if not error < math.inf:
        return SILENT
    if not agree(truth, claimed):
        return REFUTES
    exactly_zero = error == truth.number == claimed.number == 0.0
    return SUPPORTS if exactly_zero or is_sharp(truth, claimed) else SILENT


def is_sharp(truth: Sure, claimed: Sure) -> bool:
    """Whether two bounds are so small beside their numbers that a difference would show."""
    largest = max(abs(truth.number), abs(claimed.number))
    return largest > 0.0 and SAFETY * (truth.error + claimed.error) <= SHARP * largest


def agree(first: Sure, second: Sure) -> bool:
    """Whether two numbers are the same within their bounds."""
    return abs(first.number - second.number) <= SAFETY * (first.error + second.error)
