"""The bounds of each row of the table alone: over the whole interval that an operand may be in, in 60 digits."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from forward import FORWARD, Dual, dual
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from minigrad.bounds import bound_step, contribution_bound
from minigrad.choices import Conventions
from minigrad.drifts import is_exact_product, is_exact_sum
from minigrad.rules import RULES, TABLE
from minigrad.steps import ARITHMETIC_FAULTS, step

if TYPE_CHECKING:
    from collections.abc import Iterator

FUNCTIONS = [rule.name for rule in TABLE if rule.is_function and not rule.variadic]
ORDINARY = st.floats(-1e100, 1e100, allow_subnormal=False)


@pytest.fixture(autouse=True)
def enough_digits() -> Iterator[None]:
    with mp.workdps(60):
        yield


def operands(chance: random.Random) -> Iterator[tuple[float, float]]:
    """Yield operands of every size, with errors from one rounding to as large as the operand."""
    for _ in range(400):
        a = chance.choice((-1, 1)) * 10 ** chance.choice((chance.uniform(-3, 2), chance.uniform(-30, 30)))
        if chance.random() < 0.3:
            a = chance.choice((-1, 1)) * (1 + chance.choice((-1, 1)) * 10 ** chance.uniform(-15, 0))
        yield a, abs(a) * 10 ** chance.uniform(-17, 0.3)
    for a in (-760.0, -745.0, 745.0, 30.0, -30.0):
        yield a, chance.uniform(0, 100)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_bounds_of_a_function_hold_over_the_whole_interval(name: str) -> None:
    chance = random.Random(name)
    compute, bound = step(RULES[name], (0,), Conventions()), bound_step(RULES[name], Conventions())
    tested = 0
    for a, e in operands(chance):
        try:
            c, local = compute(a)
        except ARITHMETIC_FAULTS:
            continue
        error, (slip,) = bound([a], [e], c, local)
        for part in (-1, -0.7, 0, 0.4, 1):
            # The largest sizes only cost time: there is nothing but saturation and overflow.
            if abs(a) + e > 1e6 and name not in ("log", "sqrt", "cbrt", "atan", "asinh", "abs", "relu"):
                continue
            try:
                true = dual(FORWARD[name](Dual(mpf(a) + part * mpf(e), 1)))
            except (ArithmeticError, ValueError, TypeError):
                continue
            if isinstance(true.number, mp.mpc) or not mp.isfinite(true.slope):
                continue
            assert abs(true.number - mpf(c)) <= error, (name, a, e, part)
            assert abs(true.slope - mpf(local[0])) <= slip, (name, a, e, part)
            tested += 1
    assert tested > 100


@given(ORDINARY, ORDINARY)
def test_exact_sums_are_seen(a: float, b: float) -> None:
    assert is_exact_sum(a, b, a + b) == (Fraction(a) + Fraction(b) == Fraction(a + b))


@given(st.floats(-1e60, 1e60), st.one_of(st.integers(-1000, 1000).map(float), st.floats(-1e60, 1e60)))
def test_exact_products_are_seen(a: float, b: float) -> None:
    exact = Fraction(a) * Fraction(b) == Fraction(a * b)
    if is_exact_product(a, b, a * b):
        assert exact
    elif exact:
        # It may miss one far from 1, where the parts of a product underflow.
        assert abs(a * b) < 1e-190


def test_an_exact_zero_contributes_no_error_and_an_underflow_does() -> None:
    assert contribution_bound(0.0, 0.0, 5.0, 1.0) == 0.0
    assert contribution_bound(1e-200, 0.0, 1e-200, 0.0) > 0.0
    assert contribution_bound(2.0, 0.0, 1.0, 0.0) == 0.0
    assert math.isinf(contribution_bound(1.0, math.inf, 1.0, 0.0))
