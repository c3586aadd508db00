"""The backward pass, step by step: what each node gives to its operands, and when its turn comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from minigrad_grammar.lowering import reached

if TYPE_CHECKING:
    from minigrad_grammar.lowering import Evaluation


class Contribution(NamedTuple):
    """What one step adds to the gradient of one operand: ``product`` is local derivative * upstream gradient.

    Attributes:
        target: the operand's instruction.
        place: which of the node's local derivatives it is, from 0.
        local: the local derivative.
        product: what is added.
        before, total: the operand's gradient before and after.
        ordinal, of: that it is the first, second ... of so many contributions to that operand.
    """

    target: int
    place: int
    local: float
    product: float
    before: float
    total: float
    ordinal: int
    of: int


class Step(NamedTuple):
    """One node's turn: its gradient is complete, and goes to its operands.

    Attributes:
        node: its instruction.
        upstream: its gradient.
        users: the nodes that use it and that the output depends on, each of them done, the first one done first; none
            for the output.
        contributions: what it gives to its operands, in their order.
    """

    node: int
    upstream: float
    users: list[int]
    contributions: list[Contribution]


def backward_steps(evaluation: Evaluation) -> list[Step]:
    """Return the steps of the reverse sweep from the output: reverse order of evaluation, without what it does not use.

    A node's turn comes when all that use it are done. The sums are those of the sweep, bit for bit.
    """
    program = evaluation.program
    used = reached(program, program.output)
    turns = [index for index in range(program.output, -1, -1) if used[index] and program.wanted(index)]
    count: dict[int, int] = {}
    for index in turns:
        for place in program.wanted(index):
            target = program.operands[index][place]
            count[target] = count.get(target, 0) + 1
    totals: dict[int, tuple[float, int]] = {}
    users: dict[int, list[int]] = {}
    steps = []
    for index in turns:
        node = evaluation.node(index)
        contributions = []
        for nth, (place, local) in enumerate(zip(program.wanted(index), node._local_grads, strict=True)):
            target = program.operands[index][place]
            before, ordinal = totals.get(target, (0.0, 0))
            product = local * node.grad
            totals[target] = (before + product, ordinal + 1)
            contributions.append(
                Contribution(target, nth, local, product, before, before + product, ordinal + 1, count[target])
            )
            by = users.setdefault(target, [])
            if by[-1:] != [index]:
                by.append(index)
        steps.append(Step(index, node.grad, users.get(index, []), contributions))
    return steps


def unused(evaluation: Evaluation) -> list[int]:
    """Return the nodes that the output does not depend on; their gradients stay 0."""
    used = reached(evaluation.program, evaluation.program.output)
    return [index for index in evaluation.program.nodes if not used[index]]
