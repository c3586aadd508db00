"""The check of gradients by difference quotients: it finds a wrong gradient, and never complains of a right one."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from mpmath import mp
from test_laws import EXPRESSIONS, POINTS, used

from minigrad import Conventions, MathError
from minigrad_grammar import Evaluation, differences, evaluate, parse
from minigrad_grammar.bounded import BoundedPass, Sure
from minigrad_grammar.differences import (
    AGREES,
    BEYOND_A_KINK,
    BLIND,
    CURVED,
    DIFFERS,
    KINK,
    LOST,
    OUTSIDE,
    Check,
    checks,
)

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = Path(__file__).parents[1] / "cases"


def at(text: str, **point: float) -> Evaluation:
    return evaluate(parse(text), point)


def the_check(text: str, **point: float) -> Check:
    (check,) = checks(at(text, **point))
    return check


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("x**2", 1e8),
        ("log(x)", 1e-8),
        ("log(x)", 1e-300),
        ("exp(x)", 1e-300),
        ("exp(x)", 709.0),
        ("sin(1000000*x)", 0.3),
        ("1/x", 1e-100),
        ("x**1.5", 0.0),
        ("acos(x)", 1 - 1e-12),
        ("(1 + x) - 1", 1e-17),
        ("max(x, x)", 1.0),
        ("abs(x)**2", 0.0),
        ("x*0", 3.0),
    ],
)
def test_a_right_gradient_is_borne_out_where_a_fixed_step_would_not_do(text: str, x: float) -> None:
    assert the_check(text, x=x).verdict == AGREES


@pytest.mark.parametrize(
    ("text", "x", "slope"),
    [
        ("exp(x)", 1.0, mp.exp),
        ("tanh(x)", 0.5, lambda x: mp.sech(x) ** 2),
        ("log(x)", 3.0, lambda x: 1 / x),
    ],
)
def test_the_quotient_is_within_its_bound_of_the_true_slope(text: str, x: float, slope: Callable[[Any], Any]) -> None:
    with mp.workdps(40):
        (quotient,) = the_check(text, x=x).quotients
        assert abs(quotient.slope - slope(mp.mpf(x))) <= quotient.error < 1e-8


@pytest.mark.parametrize("factor", [1 + 1e-6, -1.0, 0.0, 2.0])
@pytest.mark.parametrize("text", ["exp(x)", "sin(x)*x", "relu(x) + log(x)"])
def test_a_wrong_gradient_is_found(monkeypatch: pytest.MonkeyPatch, text: str, factor: float) -> None:
    right = BoundedPass.derivative

    def wrong(self: BoundedPass, top: int, by: int) -> Sure:
        number, error, state = right(self, top, by)
        return Sure(number * factor, error, state)

    monkeypatch.setattr(BoundedPass, "derivative", wrong)
    assert the_check(text, x=1.3).verdict == DIFFERS


@pytest.mark.parametrize(
    ("text", "slopes"),
    [("relu(x)", [1.0, 0.0]), ("abs(x)", [1.0, -1.0]), ("relu(x) - relu(-x)", [1.0, 1.0]), ("max(x, 2*x)", [2.0, 1.0])],
)
def test_at_a_kink_both_slopes_are_given(text: str, slopes: list[float]) -> None:
    check = the_check(text, x=0.0)
    assert (check.verdict, [quotient.slope for quotient in check.quotients]) == (KINK, slopes)


def test_beside_a_kink_the_slope_is_that_of_the_points_own_side() -> None:
    check = the_check("abs(x)", x=-1e-20)
    assert check.verdict == AGREES
    assert check.quotients[0].slope == pytest.approx(-1.0)


@pytest.mark.parametrize(("text", "x"), [("tanh(x)", 30.0), ("sin(x)", 1e15), ("(x + 1e20) - 1e20", 1.0)])
def test_where_rounding_drowns_the_slope_nothing_is_claimed(text: str, x: float) -> None:
    assert the_check(text, x=x).verdict == BLIND


def test_a_gradient_that_is_no_number_is_not_checked() -> None:
    (check,) = checks(evaluate(parse("1/x"), {"x": 0.0}, Conventions(div_by_zero="ieee")))
    assert (check.verdict, check.whole.reason) == (BLIND, OUTSIDE)
    assert check.whole.why == "at x = 0 the result is not finite"


@pytest.mark.parametrize(
    ("text", "x", "reason"),
    [
        ("3*x + 1", 2.0, AGREES),
        ("x**2", 2.0, CURVED),
        ("x*x", 1e17, LOST),
        ("tanh(x)", 30.0, LOST),
        ("sqrt(1 - x)", 0.5, OUTSIDE),
        ("exp(x)", 709.0, OUTSIDE),
        ("relu(x)", -0.6, BEYOND_A_KINK),
        ("abs(x)", 0.0, BEYOND_A_KINK),
    ],
)
def test_why_a_whole_1_gives_something_else(text: str, x: float, reason: str) -> None:
    assert the_check(text, x=x).whole.reason == reason


def test_a_whole_1_by_hand() -> None:
    # (2 + 1)**2 = 9, and 9 - 4 = 5.
    whole = the_check("x**2", x=2.0).whole
    assert (whole.moved, whole.value, whole.change) == (3.0, 9.0, 5.0)


@given(EXPRESSIONS, POINTS)
def test_no_false_alarm_on_random_programs(text: str, point: dict[str, float]) -> None:
    try:
        evaluation = evaluate(parse(text), used(text, point))
    except MathError:
        return
    assert DIFFERS not in {check.verdict for check in checks(evaluation)}


def test_no_false_alarm_on_the_reference_cases() -> None:
    seen = 0
    for line in (CASES / "expressions.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        try:
            evaluation = evaluate(parse(case["expression"]), case["at"])
        except MathError:
            continue
        for check in checks(evaluation):
            assert check.verdict != DIFFERS, case["id"]
            seen += check.verdict == AGREES
    assert seen > 100


def test_of_a_long_program_with_many_inputs_the_first_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differences, "_BUDGET", 2000)
    text = "+".join(f"x{number}*y{number}" for number in range(30))
    evaluation = evaluate(parse(text), dict.fromkeys(parse(text).inputs, 1.0))
    found = list(checks(evaluation))
    assert 0 < len(found) < 60
    assert {check.verdict for check in found} == {AGREES}
    assert [evaluation.program.labels[check.input] for check in found[:3]] == ["x0", "y0", "x1"]
    assert math.isfinite(found[0].quotients[0].error)
