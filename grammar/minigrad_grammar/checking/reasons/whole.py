"""Slips about the derivative as a whole: its sign, its size, or another quantity in its place."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from minigrad.rules import RULES
from minigrad_grammar.bounded import FINE, Sure
from minigrad_grammar.checking.reasons.evidence import Evidence, Guess, Witness, data_of
from minigrad_grammar.program import CONSTANT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def sign(evidence: Evidence) -> Iterator[Guess]:
    """The negative of the truth."""
    yield Guess(
        lambda witness: witness.truth._replace(number=-witness.truth.number),
        "the sign: it is the negative of the truth",
        "look at the sign",
    )


def value_not_derivative(evidence: Evidence) -> Iterator[Guess]:
    """The value of the node, where its derivative was asked for."""
    if evidence.by is not None:
        name = evidence.label(evidence.top)
        text = f"that is the value of {name}, not its derivative"
        yield Guess(lambda witness: witness.ran.sure(evidence.top), text, text)


def derivative_not_value(evidence: Evidence) -> Iterator[Guess]:
    """A derivative of the node, where its value was asked for."""
    if evidence.by is None:
        for index in evidence.program.inputs.values():
            yield _derivative(evidence, evidence.top, index, "{}, not the value")


def other_variable(evidence: Evidence) -> Iterator[Guess]:
    """The derivative by another variable."""
    if evidence.by is not None:
        for index in evidence.program.inputs.values():
            if index != evidence.by:
                yield _derivative(evidence, evidence.top, index, "{}: the derivative by another variable")


def other_node(evidence: Evidence) -> Iterator[Guess]:
    """The same of another node. Nodes on the way are not others: there the chain rule stopped early."""
    program = evidence.program
    named = [index for index in dict.fromkeys([*program.names, program.output]) if index in program.labels]
    if evidence.by is None:
        for index in named:
            if index != evidence.top:
                text = f"that is the value of {evidence.label(index)}"
                yield Guess(partial(_sure, index=index), text, text)
        return
    bounded = evidence.checker.bounded
    others = [index for index in named if index not in evidence.between][: evidence.runs()]
    for index in others:
        if evidence.by in bounded.below(index):
            yield _derivative(evidence, index, evidence.by, "{}: the derivative of another node")
    for index in others:
        if index not in program.inputs.values() and index in bounded.below(evidence.top):
            yield _derivative(evidence, evidence.top, index, "{}: the derivative by another node")


def node_on_the_way(evidence: Evidence) -> Iterator[Guess]:
    """The derivative of a node on the way, where nothing else explains the claim."""
    for index in evidence.between[:-1]:
        if evidence.by is None or index == evidence.by or not evidence.likely(evidence.tangents[index]):
            continue
        if index in evidence.program.names:
            yield _derivative(evidence, index, evidence.by, "{}: the derivative of another node")


def _sure(witness: Witness, index: int) -> Sure:
    return witness.ran.sure(index)


def _derivative(evidence: Evidence, top: int, by: int, text: str) -> Guess:
    told = "that is " + text.format(f"∂{evidence.label(top)}/∂{evidence.label(by)}")

    def predict(witness: Witness) -> Sure:
        return witness.ran.derivative(top, by)

    return Guess(predict, told, told)


def reciprocal_of_derivative(evidence: Evidence) -> Iterator[Guess]:
    """One over the truth."""

    def predict(witness: Witness) -> Sure | None:
        truth = witness.truth
        if truth.number == 0.0:
            return None
        return Sure(1.0 / truth.number, truth.error / truth.number**2)

    if evidence.by is not None:
        yield Guess(predict, "it is 1 over the derivative", "is it upside down?")


def finite_step(evidence: Evidence) -> Iterator[Guess]:
    """The change of the node when the other grows by a whole 1."""
    by, top = evidence.by, evidence.top
    if by is None:
        return

    def predict(witness: Witness) -> Sure | None:
        ran = witness.ran
        moved = ran.rerun({by: ran.sure(by)._replace(number=ran.data[by] + 1.0)})
        before, after = ran.sure(top), moved.sure(top)
        if after.state != FINE:
            return None
        return Sure(after.number - before.number, after.error + before.error)

    name = evidence.label(by)
    yield Guess(
        predict,
        f"that is how much {evidence.label(top)} grows when {name} grows by a whole 1; a derivative is for small steps",
        f"that is the change when {name} grows by a whole 1",
    )


def missing_factor(evidence: Evidence) -> Iterator[Guess]:
    """The truth without one of its factors."""
    for factor, name in _factors(evidence):
        yield _times(factor, f"the factor {name} is missing", "a factor is missing", inverse=True)
    for edge in evidence.edges:
        if evidence.likely(evidence.if_slope_were(edge, 1.0)) and not evidence.is_bridge(edge):
            text = f"the factor {_slope_name(evidence, *edge)} is missing on one path"
            yield Guess(
                partial(_without_slope, evidence, edge), text, "a factor is missing in one term: the chain rule"
            )


def extra_factor(evidence: Evidence) -> Iterator[Guess]:
    """The truth with a factor that does not belong there."""
    for factor, name in _factors(evidence):
        yield _times(factor, f"the factor {name} does not belong there", "there is a factor too many", inverse=False)


def missing_number(evidence: Evidence) -> Iterator[Guess]:
    """The truth without a factor that is a simple number, wherever that may come from."""
    ratio = _ratio(evidence)
    if ratio is not None and abs(ratio) > 1.0:
        yield _times(lambda _: ratio, f"the factor {ratio:.6g} is missing", "a factor is missing", inverse=True)


def extra_number(evidence: Evidence) -> Iterator[Guess]:
    """The truth with a factor that is a simple number, wherever that may come from."""
    ratio = _ratio(evidence)
    if ratio is not None and abs(ratio) < 1.0:
        text = f"the factor {1.0 / ratio:.6g} does not belong there"
        yield _times(lambda _: 1.0 / ratio, text, "there is a factor too many", inverse=False)


def _times(factor: Callable[[Witness], float | None], text: str, hint: str, *, inverse: bool) -> Guess:
    def predict(witness: Witness) -> float | None:
        number = factor(witness)
        if number is None or not math.isfinite(number) or abs(number) in (0.0, 1.0):
            return None
        return witness.truth.number / number if inverse else witness.truth.number * number

    return Guess(predict, text, hint)


def _factors(evidence: Evidence) -> Iterator[tuple[Callable[[Witness], float | None], str]]:
    """Yield (number at a point, name) of what may be a factor: constants, local derivatives on the way, nodes."""
    program = evidence.program
    below = evidence.checker.bounded.below(evidence.top)
    for index in below[:_MOST_FACTORS]:
        if not program.live[index]:
            name = program.source(index) if program.rule(index) is CONSTANT else f"({program.source(index)})"
            yield partial(data_of, index=index), name
    for index, place in evidence.edges[:_MOST_FACTORS]:
        yield partial(_slope, index=index, place=place), _slope_name(evidence, index, place)
    for index in below[:_MOST_FACTORS]:
        if index in program.labels and (evidence.claim.is_identity or index in program.names):
            yield partial(data_of, index=index), evidence.name(index)


_MOST_FACTORS = 60


def _slope_name(evidence: Evidence, index: int, place: int) -> str:
    """Return a local derivative with its formula: "∂(x**2)/∂x = 2*x"."""
    program = evidence.program
    operand = program.operands[index][place]
    slope = program.slope_texts(index, evidence.first.ran.data)[program.wanted(index).index(place)]
    top, bottom = (name if name.isidentifier() else f"({name})" for name in map(evidence.name, (index, operand)))
    return f"∂{top}/∂{bottom} = {slope}"


def _without_slope(evidence: Evidence, edge: tuple[int, int], witness: Witness) -> Sure:
    return evidence.with_slope(witness, {edge: 1.0})


def _slope(witness: Witness, index: int, place: int) -> float | None:
    slopes = witness.ran.local[index]
    return slopes[place] if place < len(slopes) else None


def _ratio(evidence: Evidence) -> float | None:
    """Return truth/claimed at the first point of a formula, if it is a simple number; other points confirm it."""
    witness = evidence.first
    if not evidence.claim.is_identity or not witness.claimed.number or not witness.truth.number:
        return None
    ratio = witness.truth.number / witness.claimed.number
    for below in range(1, _LARGEST_DENOMINATOR + 1):
        above = round(ratio * below)
        if 0 < abs(above) <= _LARGEST_RATIO and abs(ratio - above / below) <= _SIMPLE * abs(ratio):
            return above / below if abs(above) != below else None
    for number in (math.pi, math.e, math.log(2), math.log(10), math.sqrt(math.pi), math.sqrt(2)):
        for power in (1.0, -1.0):
            for factor in (1.0, 2.0, 0.5):
                if abs(ratio - factor * number**power) <= _SIMPLE * abs(ratio):
                    return ratio
    return None


_LARGEST_RATIO, _LARGEST_DENOMINATOR = 100, 12
_SIMPLE = 1e-9
"""Two numbers so close, relatively, are taken to be the same until the other points confirm it."""


def antiderivative(evidence: Evidence) -> Iterator[Guess]:
    """A function whose derivative is the node, where the derivative of the node was asked for."""
    claim, program = evidence.claim, evidence.program
    by = evidence.by
    inputs = [index for index, node in claim.used.items() if node == by]
    right = claim.right
    powers = (index for index in range(len(right)) if right.rule(index) is RULES["pow"])
    if by is None or not inputs or any(right.live[right.operands[index][1]] for index in powers):
        return

    def predict(witness: Witness) -> float | None:
        slope = witness.told.derivative(right.output, inputs[0])
        value = witness.ran.sure(evidence.top)
        if slope.state != FINE or value.state != FINE:
            return None
        # The claim itself, where its derivative is the node's value; elsewhere something it is not.
        same = abs(slope.number - value.number) <= _SIMPLE * abs(value.number) + slope.error + value.error
        return witness.claimed.number if same else float(witness.claimed.number == 0.0)

    text = f"its derivative by {program.labels[by]} is {evidence.label(evidence.top)}: integrated, not differentiated"
    yield Guess(predict, text, "that is an integral, not a derivative")


def rounding(evidence: Evidence) -> Iterator[Guess]:
    """The truth to three digits or more, and not to as many as were written."""
    bound = _THREE_DIGITS if not evidence.claim.is_identity else _THREE_DIGITS / 5.0

    def predict(witness: Witness) -> float:
        truth, claimed = witness.truth.number, witness.claimed.number
        alike = f"{truth:.2e}" == f"{claimed:.2e}" or abs(claimed - truth) <= bound / 10.0 * abs(truth)
        return claimed if alike and abs(claimed - truth) <= bound * abs(truth) else truth

    yield Guess(predict, "the first digits are right: rounded too early, or too far", "rounded too early, or too far")


_THREE_DIGITS = 5e-3
