"""Nothing recurses: depth and length are bounded by memory alone. Expected numbers by hand."""

from __future__ import annotations

import math

import pytest

from minigrad_grammar import LanguageError, evaluate, parse

DEEP = 100_000


def test_nested_brackets() -> None:
    assert evaluate(parse("(" * DEEP + "x" + ")" * DEEP), {"x": 3}).gradient == {"x": 1.0}


def test_a_chain_of_functions() -> None:
    result = evaluate(parse("sin(" * DEEP + "x" + ")" * DEEP), {"x": 1})
    # sin iterated n times goes to 0 like sqrt(3/n).
    assert result.value == pytest.approx(math.sqrt(3 / DEEP), rel=1e-3)
    assert 0 < result.gradient["x"] < 1


def test_a_long_sum_and_a_long_difference() -> None:
    assert evaluate(parse(" + ".join(["x"] * DEEP)), {"x": 1}).gradient == {"x": float(DEEP)}
    assert evaluate(parse(" - ".join(["x"] * DEEP)), {"x": 1}).gradient == {"x": 2.0 - DEEP}


def test_a_tower_of_minuses_and_powers() -> None:
    assert evaluate(parse("-" * DEEP + "x"), {"x": 3}).value == 3.0
    assert evaluate(parse("x" + "**1" * DEEP), {"x": 3}).value == 3.0


def test_brackets_on_the_right() -> None:
    assert evaluate(parse("x + (" * DEEP + "x" + ")" * DEEP), {"x": 1}).value == DEEP + 1


def test_many_operands_and_many_statements() -> None:
    assert evaluate(parse(f"max({', '.join(['x'] * DEEP)})"), {"x": 3}).gradient["x"] == pytest.approx(1, rel=1e-9)
    program = parse("\n".join(f"a{number} = x + {number}" for number in range(DEEP)))
    assert evaluate(program, {"x": 1}).value == DEEP


@pytest.mark.parametrize(
    "text", ["(" * DEEP, "x" + ")" * DEEP, "(" * DEEP + "x y" + ")" * DEEP, "x + " * DEEP, "2x" * DEEP]
)
def test_mistakes_in_a_long_text(text: str) -> None:
    with pytest.raises(LanguageError):
        parse(text)


def test_a_table_of_a_long_program_grows_linearly() -> None:
    program = parse("tanh(" * 5_000 + "x" + ")" * 5_000)
    assert sum(len(program.expression(index)) for index in program.nodes) < 5_000 * 200
