"""What is found out about a claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from minigrad_grammar.checking.claims import Claim

RIGHT, WRONG, UNTESTED = "right", "wrong", "untested"


def told_at(at: Mapping[str, float]) -> str:
    """Return "x = 2, y = 3"."""
    return ", ".join(f"{name} = {number:.6g}" for name, number in at.items())


class Reason(NamedTuple):
    """What probably went wrong.

    Attributes:
        code: one of the codes that docs/deciding.md lists.
        text: a sentence with the names and numbers of this case; it may give the truth away.
        hint: a sentence that does not.
        choice: the convention and its value that would make the claim right; () for any other reason.
    """

    code: str
    text: str
    hint: str
    choice: tuple[str, object] | tuple[()] = ()


@dataclass
class Finding:
    """The verdict on a claim, and what it rests on.

    Attributes:
        claim: the claim.
        verdict: RIGHT, WRONG or UNTESTED.
        claimed, truth: the two numbers at the point ``at``; None where there is none to show.
        at: the point at which they differ, or at which a number was tested; {} if no variable matters.
        reasons: what probably went wrong, simplest first.
        also_possible: other reasons that give the same number.
        note: what else to tell: why it is untested, or that it holds for a reason one may not expect.
        points: at how many points the claim was found to hold, or 1 where a number was tested.
        regions: in how many regions between kinks those points lie.
        distance: of a wrong claim without a reason, how far off it is.
        free: the variables whose numbers would let an untested claim be tested.
    """

    claim: Claim
    verdict: str
    claimed: float | None = None
    truth: float | None = None
    at: dict[str, float] = field(default_factory=dict)
    reasons: list[Reason] = field(default_factory=list)
    also_possible: list[Reason] = field(default_factory=list)
    note: str = ""
    points: int = 0
    regions: int = 0
    distance: str = ""
    free: Sequence[str] = ()
