"""What a reader should know of an evaluation beside its numbers: where a convention decided, where digits were lost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from minigrad.rules import RULES
from minigrad.steps import broken_limit, evaluated, step
from minigrad_grammar.bounded import FINE, BoundedProgram, Sure

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


def remarks(evaluation: Evaluation, digits: int) -> list[Note]:
    """Return the notes on an evaluation, in the order of its nodes.

    Args:
        evaluation: from ``evaluate``.
        digits: how many significant digits of its numbers will be shown; where fewer are sure, there is a note.
    """
    notes = [
        *_rules_remarks(evaluation),
        *_let_through(evaluation),
        *_lost_contributions(evaluation),
        *_spelled_tanh(evaluation),
        *_within_the_bounds(evaluation, digits),
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


def _within_the_bounds(evaluation: Evaluation, digits: int) -> Iterator[Note]:
    """Yield what the running error bound tells: a side of a kink that is not sure, or fewer sure digits than shown."""
    program = evaluation.program
    bounded = BoundedProgram(program, evaluation.conventions)
    ran = bounded.run({index: Sure(evaluation.data[index]) for index in program.inputs.values()})
    for index, told in bounded.kinks:
        sides = ran.sides(index, told)
        if ran.states[index] == FINE and ran.near(index, sides) and 0.0 not in sides:
            name = program.rule(index).name
            yield Note(index, f"{name} is at a kink within rounding: the derivative may be that of the other side")
    for index in program.nodes:
        if ran.states[index] != FINE or index in program.spelled:
            continue
        numbers = {"data": ran.sure(index)}
        if program.live[index]:
            numbers["gradient"] = ran.derivative(program.output, index)
        unsure = [text for what, sure in numbers.items() if (text := _unsure(what, sure, digits))]
        if unsure:
            yield Note(index, f"after rounding, {' and '.join(unsure)}")


def _unsure(what: str, sure: Sure, digits: int) -> str:
    """Return how many digits of a number are sure, if fewer than are shown, or else ""."""
    number, error, state = sure
    if state != FINE or error < _NO_ERROR:
        return ""
    shown = min(digits, len(f"{number:.{digits}g}".partition("e")[0].strip("-0.").replace(".", "")))
    count = math.floor(-math.log10(2.0 * error / abs(number))) if 0.0 < error < math.inf and number else 0
    if count >= shown > 0:
        return ""
    if count > 0:
        return f"about {count} digit{'s' * (count > 1)} of its {what} {'are' if count > 1 else 'is'} sure"
    return f"no digit of its {what} is sure" + (f" (it may be off by {error:.1g})" if error < math.inf else "")


# Below this, an error is a matter of underflow, which has notes of its own.
_NO_ERROR = 1e-300


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
