"""What a reader should know of an evaluation beside its numbers: where a convention decided, where digits were lost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from minigrad.rules import RULES
from minigrad.steps import broken_limit, evaluated, step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minigrad_grammar.lowering import Evaluation


class Note(NamedTuple):
    """A remark on one node: its instruction, the sentence, and the convention that decided, if one did."""

    at: int
    text: str
    choice: str = ""


# A spelled-out tanh is remarked on when it loses this many decimal digits.
_WORTH_TELLING = 1.0
_EPSILON = 2.0**-52
_DIGITS = 16


def remarks(evaluation: Evaluation) -> list[Note]:
    """Return the notes on an evaluation, in the order of its nodes."""
    notes = [
        *_rules_remarks(evaluation),
        *_let_through(evaluation),
        *_lost_contributions(evaluation),
        *_spelled_tanh(evaluation),
    ]
    place = {index: position for position, index in enumerate(evaluation.program.nodes)}
    return sorted(notes, key=lambda note: place[note.at])


def _rules_remarks(evaluation: Evaluation) -> Iterator[Note]:
    """Yield what the rows of the table of rules have to say."""
    program, conventions, data = evaluation.program, evaluation.conventions, evaluation.data
    tests = [
        [(evaluated(kind.rule, remark.when, conventions), remark) for remark in kind.rule.remarks if kind.wanted]
        for kind in program.kinds
    ]
    for index in program.nodes:
        for when, remark in tests[program.kind_of[index]]:
            operands = [data[operand] for operand in program.operands[index]]
            if when(operands, data[index], evaluation.node(index)._local_grads):
                yield Note(index, remark.says, remark.choice)


def _let_through(evaluation: Evaluation) -> Iterator[Note]:
    """Yield the nodes where a convention let an infinity or a nan in: no node that went into them has one."""
    if evaluation.finite:
        return
    program, data, conventions = evaluation.program, evaluation.data, evaluation.conventions
    for index in program.nodes:
        operands = [data[operand] for operand in program.operands[index]]
        arrived = [data[operand] for operand in program.operands[index] if program.live[operand]]
        numbers = (data[index], *evaluation.node(index)._local_grads)
        if all(map(math.isfinite, arrived)) and not all(map(math.isfinite, numbers)):
            limit = broken_limit(program.rule(index), operands, conventions)
            choice = "ieee" if conventions.ieee else limit.choice if limit is not None else ""
            what = "the result" if not math.isfinite(data[index]) else "the local derivative"
            yield Note(index, f"{what} is not a finite number: a convention let it through", choice)


def _lost_contributions(evaluation: Evaluation) -> Iterator[Note]:
    """Yield the nodes to which a contribution was too small for a double: local * upstream is 0, and neither is."""
    program = evaluation.program
    lost: set[int] = set()
    for index in program.nodes:
        node = evaluation.node(index)
        if node.grad == 0.0 or not program.live[index]:
            continue
        wanted = program.wanted(index)
        for place, local in zip(wanted, node._local_grads, strict=True):
            if local != 0.0 and local * node.grad == 0.0:
                lost.add(program.operands[index][place])
    for index in lost:
        yield Note(index, "a contribution to its gradient is not 0, but too small for a double")


def _spelled_tanh(evaluation: Evaluation) -> Iterator[Note]:
    """Yield the quotients of spelled-out tanhs that have visibly fewer digits than the native tanh."""
    program, data = evaluation.program, evaluation.data
    for index, operand in program.spelled.items():
        if program.rule(index) is not RULES["div"]:
            continue
        native, (native_slope,) = step(RULES["tanh"], (0,), evaluation.conventions)(data[operand])
        by_above, by_below = evaluation.node(index)._local_grads
        above = program.operands[index][0]
        grown = data[program.operands[above][0]]
        slope = (by_above + by_below) * 2.0 * grown
        lost = _digits_lost(data[index], native), _digits_lost(slope, native_slope)
        if max(lost) >= _WORTH_TELLING:
            value_digits, slope_digits = (max(0, _DIGITS - round(digits)) for digits in lost)
            yield Note(
                index,
                f"tanh by exp(2a) keeps about {value_digits} digits of its value and {slope_digits} of its derivative "
                f"here; native, they are {native:.6g} and {native_slope:.6g}",
                "tanh",
            )


def _digits_lost(computed: float, true: float) -> float:
    """Return how many decimal digits ``computed`` lacks of the 16 of a double."""
    if computed == true or not math.isfinite(true):
        return 0.0
    if true == 0.0 or not math.isfinite(computed):
        return float(_DIGITS)
    return math.log10(abs(computed - true) / abs(true) / _EPSILON)
