"""The same claim about another program: one with other rules, or with its text read otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from minigrad_grammar.bounded import BoundedProgram, Sure
from minigrad_grammar.checking.reasons.evidence import Evidence, Guess, Witness
from minigrad_grammar.program import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minigrad.rules import Rule


def under(evidence: Evidence, bounded: BoundedProgram, top: int, by: int | None, text: str, hint: str) -> Guess:
    """Return the guess that another program was meant, with the same inputs."""
    program = bounded.program

    def predict(witness: Witness) -> Sure:
        old = evidence.program.inputs
        inputs = {index: witness.ran.sure(old[name]) for name, index in program.inputs.items() if name in old}
        ran = bounded.run(inputs)
        return ran.sure(top) if by is None else ran.derivative(top, by)

    return Guess(predict, text, hint)


def with_rows(evidence: Evidence, rows: dict[Rule, Rule], text: str, hint: str) -> Iterator[Guess]:
    """Yield the guess that other rules were used, if the program has any of the operations."""
    program = evidence.program
    if not any(program.rule(index) in rows for index in evidence.checker.bounded.below(evidence.top)):
        return
    kinds = [Kind(rows.get(kind.rule, kind.rule), kind.wanted) for kind in program.kinds]
    bounded = BoundedProgram(replace(program, kinds=kinds), evidence.checker.conventions)
    yield under(evidence, bounded, evidence.top, evidence.by, text, hint)
