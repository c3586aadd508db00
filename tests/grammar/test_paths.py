"""Derivatives in symbols: by hand, and evaluated beside the reverse sweep."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from test_laws import EXPRESSIONS, MODERATE, used

from minigrad import MathError
from minigrad_grammar import evaluate, parse
from minigrad_grammar.paths import MOST_COUNTED, MOST_PATHS, derivatives, factor


def formulas(text: str) -> dict[str, str]:
    program = parse(text)
    return {program.labels[one.input]: one.formula for one in derivatives(program)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c = a*b; L = c + a", {"a": "1 + b", "b": "a"}),
        ("y = exp(x); y*z", {"x": "z*exp(x)", "z": "y"}),
        ("x - y", {"x": "1", "y": "-1"}),
        ("-(-x)", {"x": "1"}),
        ("u = x*y; v = u - x; v*v", {"x": "-v - v + v*y + v*y", "y": "v*x + v*x"}),
        ("a/b", {"a": "1/b", "b": "-a/b**2"}),
        ("x**-2", {"x": "-2*x**-3"}),
        ("3*relu(x)", {"x": "3*(1 if x > 0 else 0)"}),
        ("y = x; 2", {"x": "0"}),
        ("x", {"x": "1"}),
        ("2*x*0", {"x": "0"}),
    ],
)
def test_by_hand(text: str, expected: dict[str, str]) -> None:
    assert formulas(text) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("b", "b"),
        ("exp(x - 1)", "exp(x - 1)"),
        ("2*x", "2*x"),
        ("x**-2", "x**-2"),
        ("1e-5", "1e-5"),
        ("1 - c", "(1 - c)"),
        ("-a", "(-a)"),
        ("1/b", "(1/b)"),
        ("1 if x > 0 else 0", "(1 if x > 0 else 0)"),
    ],
)
def test_factors_are_in_brackets_where_they_must_be(formula: str, expected: str) -> None:
    assert factor(formula) == expected


@given(EXPRESSIONS, MODERATE)
def test_the_formula_has_the_value_of_the_gradient(text: str, point: dict[str, float]) -> None:
    try:
        evaluation = evaluate(parse(text), used(text, point))
    except MathError:
        return
    program = evaluation.program
    values = {program.labels[index]: evaluation.data[index] for index in program.nodes}

    def number(formula: str) -> float:
        return evaluate(parse(formula), {name: values[name] for name in parse(formula).inputs}).value

    for one in derivatives(program):
        if not one.whole or " if " in one.formula:
            continue
        try:
            terms = [number(path.formula) for path in one.paths]
            total = number(one.formula)
        except MathError:  # what is written may overflow where what is computed does not
            continue
        size = 1.0 + sum(map(abs, terms))
        assert math.isclose(total, evaluation.node(one.input).grad, rel_tol=1e-6, abs_tol=1e-9 * size)


def test_too_many_paths_are_counted_and_not_written_out() -> None:
    doubled = "y0 = x + x; " + "; ".join(f"y{n} = y{n - 1} + y{n - 1}" for n in range(1, 6))
    (few,) = derivatives(parse(doubled))
    assert (few.number, len(few.paths), few.whole) == (64, MOST_PATHS, False)
    more = doubled + "; " + "; ".join(f"y{n} = y{n - 1}*y{n - 1}" for n in range(6, 2000))
    (many,) = derivatives(parse(more))
    assert (many.number, many.paths, many.whole) == (MOST_COUNTED, [], False)


def test_a_path_leads_from_the_output_to_the_input() -> None:
    program = parse("c = a*b; L = c + a")
    first, _ = derivatives(program)
    assert [[program.labels[index] for index in path.nodes] for path in first.paths] == [["L", "a"], ["L", "c", "a"]]
