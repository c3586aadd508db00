"""The report of an evaluation: a row a node, ready to be printed in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from minigrad.choices import CHOICES
from minigrad_cli.flags import flag
from minigrad_grammar.remarks import Note, remarks

if TYPE_CHECKING:
    from minigrad_grammar import Evaluation


class Local(NamedTuple):
    """One local derivative: by which node, as a formula over names, as a number."""

    wrt: str
    formula: str
    value: float


class Row(NamedTuple):
    """One node: its name and second names, operation, expression, numbers, and the numbers of its notes.

    ``decided``: a convention chose its local derivatives, and not their formulas.
    """

    name: str
    aliases: list[str]
    op: str
    expression: str
    data: float
    grad: float
    local: list[Local]
    notes: list[int]
    decided: bool


class Report(NamedTuple):
    """An evaluation as rows, and the notes on them: (node's name, sentence)."""

    evaluation: Evaluation
    rows: list[Row]
    notes: list[tuple[str, str]]


def report(evaluation: Evaluation, digits: int) -> Report:
    """Return the report of an evaluation, with notes where fewer than ``digits`` significant digits are sure."""
    program = evaluation.program
    labels = program.labels
    notes = remarks(evaluation, digits)
    numbers: dict[int, list[int]] = {}
    for number, note in enumerate(notes, start=1):
        numbers.setdefault(note.at, []).append(number)
    decided = {note.at for note in notes if note.choice}
    rows = [
        Row(
            name=labels[index],
            aliases=program.names.get(index, [])[1:],
            op=program.rule(index).name if program.live[index] else "constant",
            expression=program.expression(index, evaluation.data),
            data=evaluation.node(index).data,
            grad=evaluation.node(index).grad,
            local=_local(evaluation, index),
            notes=numbers.get(index, []),
            decided=index in decided,
        )
        for index in program.nodes
    ]
    return Report(evaluation, rows, [(labels[note.at], _sentence(note, evaluation)) for note in notes])


def _sentence(note: Note, evaluation: Evaluation) -> str:
    """Return a note with the flag that decided, and what else it could be."""
    if not note.choice:
        return note.text
    choice = next(choice for choice in CHOICES if choice.name == note.choice)
    value = evaluation.conventions.in_force()[choice.name]
    shown = "on" if value is True else f"{value:g}" if isinstance(value, float) else value
    return f"{note.text} ({flag(choice.name)} {shown}; it may be {choice.values})"


def _local(evaluation: Evaluation, index: int) -> list[Local]:
    program = evaluation.program
    by = [program.labels[program.operands[index][place]] for place in program.wanted(index)]
    slopes = evaluation.node(index)._local_grads
    return [Local(*parts) for parts in zip(by, program.slope_texts(index, evaluation.data), slopes, strict=True)]
