"""The steps of a backward pass: against the seed's own example by hand, and against the sweep that they explain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minigrad_grammar import evaluate, parse
from minigrad_grammar.tracing import Contribution, backward_steps, unused


def test_the_seeds_example() -> None:
    # L = c + a, c = a*b at 2, 3: c and a get 1 each from L; then a gets 1*3 more, and b gets 1*2.
    evaluation = evaluate(parse("c = a*b; L = c + a"), {"a": 2.0, "b": 3.0})
    a, b = evaluation.program.inputs.values()
    first, second = backward_steps(evaluation)
    assert (first.upstream, first.users) == (1.0, [])
    assert first.contributions == [
        Contribution(second.node, 0, 1.0, 1.0, 0.0, 1.0, 1, 1),
        Contribution(a, 1, 1.0, 1.0, 0.0, 1.0, 1, 2),
    ]
    assert (second.upstream, second.users) == (1.0, [first.node])
    assert second.contributions == [
        Contribution(a, 0, 3.0, 3.0, 1.0, 4.0, 2, 2),
        Contribution(b, 1, 2.0, 2.0, 0.0, 2.0, 1, 1),
    ]


def test_a_node_that_the_output_does_not_use_has_no_step() -> None:
    evaluation = evaluate(parse("a = x**2; b = a*y; exp(x)"), {"x": 1.0, "y": 2.0})
    labels = evaluation.program.labels
    assert [labels[step.node] for step in backward_steps(evaluation)] == ["out"]
    assert sorted(labels[index] for index in unused(evaluation)) == ["a", "b", "y"]


def test_an_operand_that_stands_twice_gets_two_contributions_from_one_user() -> None:
    evaluation = evaluate(parse("c = x + 1; c*c"), {"x": 2.0})
    first, second = backward_steps(evaluation)
    assert [(part.total, part.ordinal, part.of) for part in first.contributions] == [(3.0, 1, 2), (6.0, 2, 2)]
    assert second.users == [first.node]


@pytest.mark.parametrize("output", ["2", "x"])
def test_an_output_without_operands_has_no_step(output: str) -> None:
    assert backward_steps(evaluate(parse(f"x = 1; {output}"), {})) == []


@given(st.lists(st.tuples(st.sampled_from("+*-"), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_the_sums_are_those_of_the_sweep_and_the_turns_come_in_order(rows: list[tuple[str, int, int]]) -> None:
    names = ["x", "y"]
    lines = []
    for number, (operator, left, right) in enumerate(rows):
        lines.append(f"n{number} = {names[left % len(names)]} {operator} {names[right % len(names)]}")
        names.append(f"n{number}")
    evaluation = evaluate(parse("; ".join(["x = 0.3; y = -1.7", *lines, names[-1]])), {})
    totals = {evaluation.program.output: 1.0}
    done: set[int] = set()
    for step in backward_steps(evaluation):
        assert step.upstream == totals[step.node]
        assert done.issuperset(step.users)
        for part in step.contributions:
            assert part.target not in done
            assert part.before == totals.get(part.target, 0.0)
            totals[part.target] = part.total
        done.add(step.node)
    for index, total in totals.items():
        assert total == evaluation.node(index).grad
