"""Slips on the way back: a path left out or counted twice, a factor of the chain rule dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad.rules import RULES
from minigrad_grammar.bounded import FINE, Sure
from minigrad_grammar.checking.reasons.evidence import Evidence, Guess, Witness

if TYPE_CHECKING:
    from collections.abc import Iterator


def direct_partial(evidence: Evidence) -> Iterator[Guess]:
    """What the node's own formula gives by the other, where paths lead through more nodes as well."""
    by, top = evidence.by, evidence.top
    operands = evidence.program.operands[top]
    through = [operand for operand in operands if operand != by and operand in evidence.between]
    if by is None or by not in operands or not through:
        return

    def predict(witness: Witness) -> float:
        slopes = zip(operands, witness.ran.local[top])  # noqa: B905  # an exponent has no slope
        return sum(slope for operand, slope in slopes if operand == by)

    names = ", ".join(dict.fromkeys(evidence.label(operand) for operand in through))
    name = evidence.label(by)
    yield Guess(
        predict,
        f"that is the direct partial, with {names} held; {name} acts through {names} too",
        f"{name} acts through {names} too",
    )


def local_derivative(evidence: Evidence) -> Iterator[Guess]:
    """The derivative by a node on the way: the chain rule stopped early."""
    by, top = evidence.by, evidence.top
    if by is None:
        return
    for index in reversed(evidence.between):
        if index in (by, top) or not evidence.likely(evidence.first.ran.derivative(top, index).number):
            continue
        names = evidence.label(top), evidence.label(index), evidence.label(by)

        def predict(witness: Witness, index: int = index) -> Sure:
            return witness.ran.derivative(top, index)

        inner = f"∂{names[1]}/∂{names[2]}"
        yield Guess(
            predict,
            f"the chain rule stopped early: that is ∂{names[0]}/∂{names[1]}, by {evidence.equation(index)}; "
            f"times {inner} is missing",
            f"the chain rule stopped early: {inner} is missing",
        )


def missing_path(evidence: Evidence) -> Iterator[Guess]:
    """The truth without what comes along one step of a path."""
    truth = evidence.first.truth.number
    by = evidence.by
    for edge in evidence.edges:
        missing = evidence.passed(edge)
        if not evidence.likely(truth - missing) or evidence.is_bridge(edge):
            continue

        def predict(witness: Witness, edge: tuple[int, int] = edge) -> Sure:
            return evidence.with_slope(witness, {edge: 0.0})

        name = evidence.label(by) if by is not None else ""
        others = dict.fromkeys(
            evidence.name(index)
            for index, place in evidence.edges
            if (index, place) != edge and evidence.program.operands[index][place] == by
        )
        equation = evidence.equation(edge[0])
        text = f"the path through {equation} is missing"
        if not evidence.claim.is_identity and others:
            text = (
                f"{evidence.first.claimed.number:.6g} is what comes through {_some(list(others))}; "
                f"the path through {equation} adds {missing:.6g}"
            )
        yield Guess(predict, text, f"a path to {name} is missing")


def _some(names: list[str]) -> str:
    return ", ".join(names if len(names) <= _MOST_NAMES else [*names[:_MOST_NAMES], "..."])


_MOST_NAMES = 5


def last_path_only(evidence: Evidence) -> Iterator[Guess]:
    """What is left if every contribution replaces the one before: = where += belongs."""
    by = evidence.by
    if by is None or not evidence.edges:
        return

    def predict(witness: Witness) -> Sure:
        grads, errors = witness.ran.sweep(evidence.top, assigned=True)
        return Sure(grads[by], errors[by])

    text = "only the last path counts: = was used where += belongs"
    yield Guess(predict, text, text)


def sign_on_one_path(evidence: Evidence) -> Iterator[Guess]:
    """The truth with one local derivative of the wrong sign."""
    truth = evidence.first.truth.number
    for edge in evidence.edges:
        if not evidence.likely(truth - 2.0 * evidence.passed(edge)) or evidence.is_bridge(edge):
            continue
        index, place = edge

        def predict(witness: Witness, edge: tuple[int, int] = edge) -> Sure | None:
            slopes = witness.ran.local[edge[0]]
            return evidence.with_slope(witness, {edge: -slopes[edge[1]]}) if slopes else None

        operand = evidence.label(evidence.program.operands[index][place])
        text = f"the sign of one path: that of ∂{evidence.label(index)}/∂{operand}, in {evidence.equation(index)}"
        yield Guess(predict, text, "look at the sign of one path")


def upstream_dropped(evidence: Evidence) -> Iterator[Guess]:
    """The truth with one local derivative that was not multiplied by what comes from above."""
    by, top = evidence.by, evidence.top
    if by is None:
        return
    ran, truth = evidence.first.ran, evidence.first.truth.number
    products = [index for index, place in evidence.edges if place and evidence.program.rule(index) is RULES["mul"]]
    for index in products:
        f, g = evidence.program.operands[index]
        if f in evidence.between and evidence.tangent_is_likely(index, evidence.tangents[f] + evidence.tangents[g]):
            yield _factors_dropped(evidence, index)
    yield _all_upstream_dropped(evidence, by)
    for edge in evidence.edges:
        index, place = edge
        operand = evidence.program.operands[index][place]
        alone = ran.local[index][place] * evidence.tangents[operand]
        if index == top or not evidence.likely(truth - evidence.passed(edge) + alone):
            continue

        def predict(witness: Witness, index: int = index, place: int = place, operand: int = operand) -> Sure | None:
            there = witness.ran
            upstream, below = there.derivative(top, index), there.derivative(operand, by)
            if upstream.state != FINE or below.state != FINE or not there.local[index]:
                return None
            step = there.local[index][place] * below.number
            rest = evidence.with_slope(witness, {(index, place): 0.0})
            return Sure(rest.number + step, rest.error + abs(there.local[index][place]) * below.error)

        name = evidence.label(index)
        above = f"∂{evidence.label(top)}/∂{name}"
        text = f"what comes from above into {evidence.equation(index)} was dropped: times {above} is missing"
        yield Guess(predict, text, f"the chain rule: what comes from above into {evidence.name(index)} was dropped")


def _all_upstream_dropped(evidence: Evidence, by: int) -> Guess:
    """Return the guess that nothing was multiplied by what comes from above: a sum of local derivatives."""
    last = [edge for edge in evidence.edges if evidence.program.operands[edge[0]][edge[1]] == by]

    def predict(witness: Witness) -> float | None:
        there = witness.ran.local
        return sum(there[index][place] for index, place in last) if all(there[index] for index, _ in last) else None

    names = ", ".join(dict.fromkeys(evidence.label(index) for index, _ in last))
    text = f"what comes from above into {names} was dropped: only local derivatives are added up"
    return Guess(predict, text, "the chain rule: what comes from above was dropped")


def _factors_dropped(evidence: Evidence, index: int) -> Guess:
    """Return the guess that both factors of a product rule were dropped: f' + g' for f*g."""

    def predict(witness: Witness) -> Sure:
        return evidence.with_slope(witness, {(index, 0): 1.0, (index, 1): 1.0})

    equation = evidence.equation(index)
    return Guess(predict, f"the factors of the product rule were dropped, in {equation}", "look at the product rule")


def double_count(evidence: Evidence) -> Iterator[Guess]:
    """Twice the truth, as after a second backward pass without clearing, or one path counted twice."""
    if evidence.by is None or not evidence.edges:
        return
    text = "every contribution is counted twice, as after a second backward pass without clearing"
    yield Guess(
        lambda witness: Sure(2.0 * witness.truth.number, 2.0 * witness.truth.error),
        text,
        "something is counted twice",
    )
    yield Guess(lambda witness: _twice(evidence, witness), text, "something is counted twice")
    truth = evidence.first.truth.number
    for edge in evidence.edges:
        if not evidence.likely(truth + evidence.passed(edge)) or evidence.is_bridge(edge):
            continue

        def predict(witness: Witness, edge: tuple[int, int] = edge) -> Sure | None:
            slopes = witness.ran.local[edge[0]]
            return evidence.with_slope(witness, {edge: 2.0 * slopes[edge[1]]}) if slopes else None

        text = f"the path through {evidence.equation(edge[0])} is counted twice"
        yield Guess(predict, text, "one path is counted twice")


def _twice(evidence: Evidence, witness: Witness) -> float | None:
    """Return what a second backward pass gives where no gradient was cleared, those of interior nodes neither."""
    by, top = evidence.by, evidence.top
    assert by is not None
    grads = [0.0] * (top + 1)
    operands, local = evidence.program.operands, witness.ran.local
    for _ in range(2):
        grads[top] = 1.0
        for index in reversed(evidence.checker.bounded.below(top)):
            for operand, slope in zip(operands[index], local[index]):  # noqa: B905  # an exponent has no slope
                grads[operand] += slope * grads[index]
    return grads[by]
