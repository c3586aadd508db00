"""The gradients of a program in symbols, ready to be printed in any format."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from minigrad_cli.numbers import MACHINE_DIGITS, rounded
from minigrad_cli.report import report
from minigrad_grammar.paths import MOST_COUNTED, derivatives

if TYPE_CHECKING:
    from collections.abc import Iterable

    from minigrad_cli.question import Question
    from minigrad_cli.report import Report, Row
    from minigrad_grammar import Program
    from minigrad_grammar.paths import Derivative, Path


class Symbol(NamedTuple):
    """The gradient of one input.

    Attributes:
        name: the input's.
        formula: the sum of the terms; "" if none could be written out.
        terms: those that are written out, each with the names of the nodes on its path, from the input on.
        number: how many paths there are.
        note: what is left out.
        value: the number, where the point is known.
    """

    name: str
    formula: str
    terms: list[tuple[list[str], Path]]
    number: int
    note: str
    value: float | None


class Symbols(NamedTuple):
    """All gradients in symbols.

    Attributes:
        program: what they are the gradients of.
        gradients: one for each input.
        where: the expressions of the nodes that they speak of, by name.
        report: the evaluation's, where the point is known.
    """

    program: Program
    gradients: list[Symbol]
    where: dict[str, str]
    report: Report | None

    @property
    def output(self) -> str:
        """The output's name."""
        return self.program.labels[self.program.output]


def symbols(asked: Question) -> Symbols:
    """Return the gradients in symbols, with their numbers if every variable has a value.

    Raises:
        LocatedError: for a fault of mathematics at the point.
    """
    known = all(name in asked.point or name in asked.program.defaults for name in asked.program.inputs)
    if not known:
        return _symbols(asked.program, derivatives(asked.program), None)
    told = report(asked.answer(), MACHINE_DIGITS)
    program = told.evaluation.program
    rows = dict(zip(program.nodes, told.rows, strict=True))
    found = derivatives(program, lambda index: _slopes(rows[index]))
    return _symbols(program, found, told)


def _slopes(row: Row) -> list[str]:
    """Return the formulas of a node's local derivatives; numbers, where a convention has decided."""
    return [rounded(local.value, MACHINE_DIGITS) if row.decided else local.formula for local in row.local]


def _symbols(program: Program, found: list[Derivative], told: Report | None) -> Symbols:
    labels = program.labels
    gradient = told.evaluation.gradient if told else {}
    gradients = [
        Symbol(
            labels[one.input],
            (one.formula if one.whole else f"{one.formula} + ...") if one.paths or not one.number else "",
            [([labels[node] for node in reversed(path.nodes)], path) for path in one.paths],
            one.number,
            _left_out(one),
            gradient.get(labels[one.input]),
        )
        for one in found
    ]
    return Symbols(program, gradients, _where(program, [one.formula for one in found]), told)


def _left_out(derivative: Derivative) -> str:
    if derivative.whole:
        return ""
    count = f"more than {MOST_COUNTED}" if derivative.number == MOST_COUNTED else f"{derivative.number}"
    shown = f"the first {len(derivative.paths)} of {count} paths" if derivative.paths else f"{count} paths"
    return f"{shown}: too many, or too long, to write out; without --symbolic, trace adds up all of them"


def _where(program: Program, formulas: Iterable[str]) -> dict[str, str]:
    """Return the expression of every node, but inputs, that formulas speak of, or that such an expression does."""
    inputs = set(program.inputs.values())
    nodes = {program.labels[index]: index for index in program.nodes if index not in inputs}
    nodes |= {other: nodes[name] for other, name in program.aliases.items() if name in nodes}
    wanted: set[int] = set()
    rest = list(formulas)
    while rest:
        for name in re.findall(r"[^\W\d]\w*", rest.pop()):
            if name in nodes and nodes[name] not in wanted:
                wanted.add(nodes[name])
                rest.append(program.expression(nodes[name]))
    return {program.labels[index]: program.expression(index) for index in sorted(wanted)}
