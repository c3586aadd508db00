"""Laws, on random programs: values are Python's own, gradients are those of forward mode, and no number is silent."""

from __future__ import annotations

import math
import re

import pytest
from forward import FORWARD, Dual, dual
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from minigrad import MathError
from minigrad.choices import Conventions
from minigrad_grammar import evaluate, parse

NAMES = ("x", "y", "z")
NUMBERS = st.one_of(
    st.floats(0.01, 10).map(lambda number: round(number, 3)), st.integers(0, 20), st.sampled_from((0.5, 2, 1e-3))
)
ANYWHERE = st.one_of(
    st.floats(-10, 10),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from((0.0, -0.0, 1.0, -1.0, 5e-324, 1e-310, 1e308, 1 - 2**-53, 1 + 2**-52)),
)
UNARY = (
    *("exp", "log", "relu", "tanh", "sqrt", "cbrt", "log1p", "log2", "log10", "expm1", "sin", "cos", "tan", "asin"),
    *("acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "abs", "sigmoid", "softplus", "erf"),
)


def combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda part: f"({part[0]} {part[1]} {part[2]})"),
        st.tuples(st.sampled_from(UNARY), inner).map(lambda part: f"{part[0]}({part[1]})"),
        st.tuples(st.sampled_from(("max", "min")), inner, inner).map(lambda part: f"{part[0]}({part[1]}, {part[2]})"),
        st.tuples(inner, st.sampled_from((2, 3, -1, 0.5, 1.5))).map(lambda part: f"({part[0]})**{part[1]}"),
        inner.map(lambda part: f"-({part})"),
    )


LEAVES = st.one_of(st.sampled_from(NAMES), NUMBERS.map(lambda number: f"{number}"))
EXPRESSIONS = st.recursive(LEAVES, combine, max_leaves=12)
POINTS = st.fixed_dictionaries(dict.fromkeys(NAMES, ANYWHERE))
MODERATE = st.fixed_dictionaries(dict.fromkeys(NAMES, st.floats(0.1, 3)))


def used(text: str, point: dict[str, float]) -> dict[str, float]:
    return {name: point[name] for name in parse(text).inputs}


@given(EXPRESSIONS, POINTS)
def test_a_result_is_finite_or_a_clear_error(text: str, point: dict[str, float]) -> None:
    try:
        result = evaluate(parse(text), used(text, point))
    except MathError:
        return
    numbers = [result.value, *result.gradient.values(), *result.data]
    for index in result.program.nodes:
        numbers += [result.node(index).grad, *result.node(index)._local_grads]
    assert all(map(math.isfinite, numbers))


@given(EXPRESSIONS, POINTS)
def test_where_there_is_no_fault_ieee_changes_nothing(text: str, point: dict[str, float]) -> None:
    at = used(text, point)
    program = parse(text)
    ieee = evaluate(program, at, Conventions(ieee=True))
    try:
        plain = evaluate(program, at)
    except MathError:
        return
    assert [number.hex() for number in plain.data] == [number.hex() for number in ieee.data]
    assert {name: grad.hex() for name, grad in plain.gradient.items()} == {
        name: grad.hex() for name, grad in ieee.gradient.items()
    }


ARITHMETIC = st.recursive(
    st.one_of(st.sampled_from(NAMES), st.floats(0.01, 100).map(repr)),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda part: f"({part[0]} {part[1]} {part[2]})"),
        inner.map(lambda part: f"-({part})"),
        st.tuples(st.sampled_from(("exp", "sin", "cos", "atan", "asinh", "erf")), inner).map(
            lambda part: f"{part[0]}({part[1]})"
        ),
    ),
    max_leaves=20,
)


@given(ARITHMETIC, MODERATE)
def test_values_are_pythons_own(text: str, point: dict[str, float]) -> None:
    try:
        expected = float(eval(text, {"__builtins__": {}}, {**vars(math), **point}))
    except (ArithmeticError, ValueError):
        return
    if not math.isfinite(expected):
        return
    try:
        result = evaluate(parse(text), used(text, point))
    except MathError:
        return
    assert result.value == expected


SMOOTH = st.recursive(
    st.one_of(st.sampled_from(NAMES), st.floats(0.1, 3).map(repr)),
    lambda inner: st.one_of(
        # No differences, no alternating signs: nothing cancels much, so that few digits can be lost.
        st.tuples(inner, st.sampled_from("+*/"), inner).map(lambda part: f"({part[0]} {part[1]} {part[2]})"),
        st.tuples(st.sampled_from(("atan", "asinh", "tanh", "sigmoid", "softplus")), inner).map(
            lambda part: f"{part[0]}({part[1]})"
        ),
        inner.map(lambda part: f"({part})**1.5"),
    ),
    max_leaves=15,
)


@given(SMOOTH, MODERATE)
def test_gradients_are_those_of_forward_mode(text: str, point: dict[str, float]) -> None:
    at = used(text, point)
    try:
        result = evaluate(parse(text), at)
    except MathError:
        return
    with mp.workdps(50):
        for name in at:
            names = {other: Dual(number, other == name) for other, number in at.items()}
            forward = dual(eval(text, {"__builtins__": {}}, {**FORWARD, **names}))
            assert result.value == pytest.approx(float(forward.number), rel=1e-13)
            # Each path's contribution is right; their sum may cancel in a quotient.
            size = max(abs(float(forward.slope)), 1e-3 * abs(float(forward.number)))
            assert result.gradient[name] == pytest.approx(float(forward.slope), abs=1e-11 * size + 1e-300)


@given(SMOOTH, SMOOTH, MODERATE)
def test_the_gradient_of_a_sum_and_of_a_multiple(f: str, g: str, point: dict[str, float]) -> None:
    try:
        of_f, of_g, of_sum, of_double = (
            evaluate(parse(text), used(text, point)).gradient for text in (f, g, f"({f}) + ({g})", f"2*({f})")
        )
    except MathError:
        return
    for name in of_sum:
        assert of_sum[name] == pytest.approx(of_f.get(name, 0.0) + of_g.get(name, 0.0), rel=1e-9, abs=1e-12)
    assert of_double == {name: 2 * grad for name, grad in of_f.items()}


@given(SMOOTH, MODERATE)
def test_renaming_and_splitting_into_statements_change_nothing(text: str, point: dict[str, float]) -> None:
    at = used(text, point)
    try:
        result = evaluate(parse(text), at)
    except MathError:
        return
    if not at:
        return  # a constant that is given a name becomes a variable
    split = evaluate(parse(f"whole = {text}\nwhole"), at)
    assert (split.value, split.gradient) == (result.value, result.gradient)
    renamed = text
    for name in NAMES:
        renamed = re.sub(rf"\b{name}\b", f"{name}_{name}", renamed)
    other = evaluate(parse(renamed), {f"{name}_{name}": number for name, number in at.items()})
    assert (other.value, list(other.gradient.values())) == (result.value, list(result.gradient.values()))
