"""One claim at one point: the truth and the claimed number, each with its error bound, and what they say together."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from minigrad_grammar.bounded import FINE, OUTSIDE, BoundedPass, BoundedProgram, Sure

if TYPE_CHECKING:
    from collections.abc import Callable

    from minigrad.choices import Conventions
    from minigrad_grammar.checking.claims import Claim

REFUTES, SUPPORTS, UNDEFINED, SILENT, NOWHERE = "refutes", "supports", "undefined", "silent", "nowhere"
"""What a point says: the two differ; they agree; only the truth is defined; nothing; the truth is not defined."""

SAFETY = 4.0
"""Numbers differ when they are further apart than this many times the sum of their bounds."""

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
    """

    ran: BoundedPass
    truth: Sure
    claimed: Sure
    verdict: str
    cell: tuple[bool, ...] | None = None
    told: BoundedPass | None = None


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
    def kinks(self) -> list[tuple[int, Callable[..., list[float]]]]:
        """The kinks of all that the truth, or a node that the right side names, is computed from."""
        relevant = set(self.relevant)
        return [(index, told) for index, told in self.bounded.kinks if index in relevant]

    def truth(self, ran: BoundedPass) -> Sure:
        """Return the number that the claim is about."""
        claim = self.claim
        return ran.sure(claim.node) if claim.by is None else ran.derivative(claim.node, claim.by)

    def right_side(self, ran: BoundedPass) -> BoundedPass:
        """Run the right side on the numbers of a pass."""
        return self.right.run({index: ran.sure(node) for index, node in self.claim.used.items()})

    def claimed(self, ran: BoundedPass, told: BoundedPass) -> Sure:
        """Return the claimed number; ``told`` is the right side's pass at the point of ``ran``."""
        return told.sure(self.claim.right.output)

    def sides(self, ran: BoundedPass, told: BoundedPass) -> list[float] | None:
        """Return the sides of every kink of the truth and of the right side; None if one is within its bound."""
        sides: list[float] = []
        for passed, kinks in ((ran, self.kinks), (told, self.right.kinks)):
            for index, measure in kinks:
                here = passed.sides(index, measure)
                if passed.near(index, here):
                    return None
                sides += here
        return sides

    def trial(self, ran: BoundedPass) -> Trial:
        """Try the claim at the point of a pass."""
        truth = self.truth(ran)
        told = self.right_side(ran)
        claimed = self.claimed(ran, told)
        if truth.state != FINE:
            return Trial(ran, truth, claimed, NOWHERE, told=told)
        if claimed.state == OUTSIDE and truth.error < math.inf:
            return Trial(ran, truth, claimed, UNDEFINED, told=told)
        sides = self.sides(ran, told) if claimed.state == FINE else None
        if sides is None:
            return Trial(ran, truth, claimed, SILENT, told=told)
        cell = tuple([side > 0.0 for side in sides])
        return Trial(ran, truth, claimed, compared(truth, claimed), cell, told)


def compared(truth: Sure, claimed: Sure) -> str:
    """Return what two numbers say of the claim that they are the same."""
    reach = SAFETY * (truth.error + claimed.error)
    if not reach < math.inf:
        return SILENT
    if abs(truth.number - claimed.number) > reach:
        return REFUTES
    exactly_zero = reach == truth.number == claimed.number == 0.0
    return SUPPORTS if exactly_zero or is_sharp(truth, claimed) else SILENT


def is_sharp(truth: Sure, claimed: Sure) -> bool:
    """Whether two bounds are so small beside their numbers that a difference would show."""
    largest = max(abs(truth.number), abs(claimed.number))
    return largest > 0.0 and SAFETY * (truth.error + claimed.error) <= SHARP * largest


def agree(first: Sure, second: Sure) -> bool:
    """Whether two numbers are the same within their bounds."""
    return abs(first.number - second.number) <= SAFETY * (first.error + second.error)
