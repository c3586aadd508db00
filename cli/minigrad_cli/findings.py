"""What was found out about all claims of a command, ready to be printed in any format."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from minigrad_grammar.bounded import FINE
from minigrad_grammar.checking.finding import RIGHT, UNTESTED, WRONG

if TYPE_CHECKING:
    from collections.abc import Iterable

    from minigrad_grammar import Program
    from minigrad_grammar.checking import Checker, Claim, Finding

VERDICTS = (RIGHT, WRONG, UNTESTED)


class Unclaimed(NamedTuple):
    """A number that nobody claimed: of which node, by which (None for data), and what it is, where there is a point."""

    node: str
    by: str | None
    truth: float | None

    @property
    def read_as(self) -> str:
        """How a claim of it would be read."""
        return self.node if self.by is None else f"∂{self.node}/∂{self.by}"


@dataclass
class Findings:
    """The findings of a command.

    Attributes:
        program: what the claims are about.
        found: each finding, with the number of the claim's line in the file that it came from, or None.
        unclaimed: what nobody claimed; None if that was not asked for.
        options: the command's options, with their dashes; a variable of such a name takes --let.
    """

    program: Program
    found: list[tuple[int | None, Finding]]
    unclaimed: list[Unclaimed] | None
    options: set[str]

    def count(self, verdict: str) -> int:
        """Return how many claims have a verdict."""
        return sum(finding.verdict == verdict for _, finding in self.found)

    @property
    def all_right(self) -> bool:
        """Whether every claim is right."""
        return self.count(RIGHT) == len(self.found)


def unclaimed(checker: Checker, claims: Iterable[Claim]) -> list[Unclaimed]:
    """Return the data of every named node, and the derivative of the output by every variable, that nobody claimed."""
    program = checker.program
    taken = {(claim.node, claim.by) for claim in claims}
    named = [index for index in program.nodes if index in program.names and index not in program.inputs.values()]
    wanted: list[tuple[int, int | None]] = [(index, None) for index in dict.fromkeys([*named, program.output])]
    wanted += [(program.output, index) for index in program.inputs.values()]
    labels = program.labels
    found = []
    for node, by in wanted:
        if (node, by) not in taken:
            sure = checker.at.sure(node) if by is None else checker.at.derivative(node, by)
            truth = sure.number if sure.state == FINE and math.isfinite(sure.number) else None
            found.append(Unclaimed(labels[node], None if by is None else labels[by], truth))
    return found
