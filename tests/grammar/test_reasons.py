"""Reasons: claims that each explains, derived by hand, and near misses that it must not explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from claims_of import codes, found

from minigrad_grammar.checking.reasons import REASONS

if TYPE_CHECKING:
    from collections.abc import Mapping

PRODUCT = "c = a*b; c + a"
AT_2_3 = {"a": 2.0, "b": 3.0}

EXPLAINED: dict[str, list[tuple[str, str, Mapping[str, float | str]]]] = {
    "sign": [("x**2", "d/dx = -2*x", {}), (PRODUCT, "d/da = -4", AT_2_3), ("cos(x)", "d/dx = sin(x)", {})],
    "value-not-derivative": [
        ("x**2 + 5*x", "d/dx = 2*x + 5*x", {}),
        ("x**3", "d/dx = x**3", {}),
        (PRODUCT, "d/db = 8", AT_2_3),
    ],
    "derivative-not-value": [("x**3", "out = 3*x**2", {}), (PRODUCT, "c = 3", AT_2_3)],
    "other-variable": [("x**2*y", "d/dx = x**2", {}), (PRODUCT, "d/da = 2", AT_2_3)],
    "other-node": [
        ("u = x**2; v = x**3; u + v", "du/dx = 3*x**2", {}),
        ("u = 2*x; v = x + 7; u*v", "u = 10", {"x": 3}),
    ],
    "direct-partial": [(PRODUCT, "d/da = 1", AT_2_3), ("s = x**2; s*x", "d/dx = s", {})],
    "local-derivative": [("sin(x**2)", "d/dx = cos(x**2)", {}), ("u = 3*x; exp(u)", "d/dx = exp(u)", {})],
    "missing-path": [(PRODUCT, "d/da = 3", AT_2_3), ("x*sin(x) + x**2", "d/dx = sin(x) + x*cos(x)", {})],
    "last-path-only": [
        ("b = 2*a; c = 3*a; d = 5*a; b + c + d", "d/da = 2", {"a": 1.0}),
        ("x*sin(x)*exp(x)", "d/dx = x*cos(x)*exp(x)", {}),
    ],
    "sign-on-one-path": [("sin(x)/x", "d/dx = cos(x)/x + sin(x)/x**2", {}), ("a*b - a", "d/da = 4", AT_2_3)],
    "upstream-dropped": [("sin(x**2)", "d/dx = 2*x", {}), ("L = (w*x - y)**2", "dL/dw = x", {})],
    "double-count": [("x**3", "d/dx = 6*x**2", {}), (PRODUCT, "d/db = 4", AT_2_3), (PRODUCT, "d/da = 7", AT_2_3)],
    "product-of-derivatives": [
        ("x**2*sin(x)", "d/dx = 2*x*cos(x)", {}),
        ("sin(x)/x**2", "d/dx = cos(x)/(2*x)", {}),
    ],
    "outer-at-wrong-point": [("sin(x**2)", "d/dx = cos(x)*2*x", {}), ("exp(x**3)", "d/dx = 3*x**2*exp(3*x**2)", {})],
    "swapped-operands": [("a/b", "d/da = -b/a**2", {}), ("a*b*c", "d/da = a*c", {}), ("a - b/a", "out = b/a - a", {})],
    "operand-for-result": [("tanh(x)", "d/dx = 1 - x**2", {}), ("sigmoid(2*x)", "d/dx = 2*(2*x)*(1 - 2*x)", {})],
    "power-rule": [
        ("x**3", "d/dx = 3*x**3", {}),
        ("x**3", "d/dx = x**2", {}),
        ("5*x**4", "d/dx = 500", {"x": 5.0**0.5}),
    ],
    "power-rule-on-exp": [("exp(x)", "d/dx = x*exp(x - 1)", {}), ("exp(x*log(2))", "d/dx = x*2**(x - 1)", {})],
    "constant-kept": [("x**2 + 5", "d/dx = 2*x + 5", {}), ("x**2 - y", "d/dx = 2*x - y", {})],
    "table-slip": [
        ("tan(x)", "d/dx = 1/cos(x)", {}),
        ("asin(x)", "d/dx = 1/sqrt(1 + x**2)", {}),
        ("atan(2*x)", "d/dx = 2/(1 - 4*x**2)", {}),
        ("sinh(x)/x", "d/dx = (cosh(x)*x - sinh(x))/x", {}),
    ],
    "reciprocal-of-derivative": [("x**3", "d/dx = 1/(3*x**2)", {}), ("exp(2*x)", "d/dx = 1/(2*exp(2*x))", {})],
    "gate-ignored": [("relu(x)*3", "d/dx = 3", {"x": -2.0}), ("max(x**2, y)", "d/dx = 1.4", {"x": 0.7, "y": 1.0})],
    "convention": [("relu(x)", "d/dx = 1", {"x": 0.0}), ("max(a, b)", "d/da = 1", {"a": 1.0, "b": 1.0})],
    "finite-step": [("x**2", "d/dx = 7", {"x": 3.0}), ("x**2", "d/dx = 2*x + 1", {})],
    "misread-precedence": [
        ("-x**2", "out = x**2", {}),
        ("a/b*c", "d/dc = -a/(b*c**2)", {}),
        ("2*x**3", "d/dx = 24*x**2", {}),
        ("a - b + c", "d/dc = -1", {"a": 1.0, "b": 2.0, "c": 3.0}),
        ("cos(2*x)", "out = cos(2)*x", {}),
    ],
    "missing-factor": [
        ("sin(3*x) + x", "d/dx = cos(3*x) + 1", {}),
        ("3*x**2*y", "d/dy = x**2", {}),
        ("sin(5*x)", "d/dx = cos(5*x)", {}),
    ],
    "extra-factor": [("x**2/2", "d/dx = 2*x", {}), ("sin(x)*y", "d/dx = 7*y*cos(x)", {})],
    "antiderivative": [
        ("x**2", "d/dx = x**3/3", {}),
        ("cos(x)", "d/dx = sin(x)", {}),
        ("exp(2*x)", "d/dx = exp(2*x)/2", {}),
    ],
    "degrees": [("sin(x)", "d/dx = 0.8660254", {"x": 30.0}), ("tan(x)*2", "out = 2", {"x": 45.0})],
    "log-base": [
        ("log(x)", "out = 2", {"x": 100.0}),
        ("x*log(x)", "d/dx = log10(x) + 1/log(10)", {}),
        ("log10(x)", "d/dx = 1/x", {}),
    ],
    "rounding": [("exp(x)", "d/dx = 2.7184", {"x": 1.0}), ("log(2*x)*x", "out = 0.6931*x + x*log(x)", {})],
    "only-at-point": [("x**2", "d/dx = 4*x/x", {"x": 2.0}), ("x**3", "d/dx = 6*x", {"x": 2.0})],
}

NEAR_MISSES: dict[str, list[tuple[str, str, Mapping[str, float | str]]]] = {
    "sign": [("x**2", "d/dx = -2*x + 1e-6", {}), ("x**2", "d/dx = -2*abs(x)", {})],
    "value-not-derivative": [("x**3", "d/dx = x**3 + 1e-3", {}), (PRODUCT, "d/db = 8.1", AT_2_3)],
    "derivative-not-value": [("x**3", "d/dx = x**3", {}), (PRODUCT, "c = 3.5", AT_2_3)],
    "other-variable": [("x**2*y", "d/dx = x**2 + 1", {}), ("x**2", "d/dx = x**2", {})],
    "other-node": [("sin(x**2)", "d/dx = cos(x**2)", {}), (PRODUCT, "d/da = 3", AT_2_3)],
    "direct-partial": [("a*b", "d/da = a", {}), ("sin(x**2)", "d/dx = cos(x**2)", {})],
    "local-derivative": [("sin(x**2)", "d/dx = cos(x)", {}), ("x**2", "d/dx = x", {})],
    "missing-path": [("x**2", "d/dx = 0*x", {}), (PRODUCT, "d/da = 3.1", AT_2_3)],
    "last-path-only": [("x**2", "d/dx = x", {}), ("b = 2*a; c = 3*a; d = 5*a; b + c + d", "d/da = 8", {"a": 1.0})],
    "sign-on-one-path": [("x**2", "d/dx = -2*x", {}), ("sin(x)/x", "d/dx = -cos(x)/x + 2*sin(x)/x**2", {})],
    "upstream-dropped": [("sin(x**2)", "d/dx = x", {}), ("x**2", "d/dx = 2", {"x": 3.0})],
    "double-count": [("x**3", "d/dx = 9*x**2", {}), ("a*b", "d/da = 2*b + 1", {})],
    "product-of-derivatives": [("5*x**2", "d/dx = 10", {"x": 3.0}), ("x**2*sin(x)", "d/dx = 2*x + cos(x)", {})],
    "outer-at-wrong-point": [("sin(x)", "d/dx = cos(2*x)", {}), ("relu(3*x)*y", "d/dx = 3*y", {"x": -1.0, "y": 2.0})],
    "swapped-operands": [("a*b", "d/da = a + b", {}), ("a + b", "d/da = 2", {"a": 1.0, "b": 5.0})],
    "operand-for-result": [("sin(x)", "d/dx = 1 - x**2", {}), ("tanh(x)", "d/dx = 1 - x", {})],
    "power-rule": [("exp(x)", "d/dx = x*exp(x)", {}), ("x**3", "d/dx = 5*x**3", {})],
    "power-rule-on-exp": [("x**3", "d/dx = 3*x**3", {}), ("exp(x)", "d/dx = x*exp(x)", {})],
    "constant-kept": [("5*x**2", "d/dx = 10*x + 5", {}), ("x**2 + 5", "d/dx = 2*x + 4", {})],
    "table-slip": [("tan(x)", "d/dx = 1/cos(x)**3", {}), ("exp(x)", "d/dx = 1/cos(x)", {})],
    "reciprocal-of-derivative": [("x**3", "d/dx = 1/x**2", {}), ("x**3", "out = 1/x**3", {})],
    "gate-ignored": [("relu(x)", "d/dx = 1", {"x": 0.0}), ("tanh(x)", "d/dx = 1", {"x": -2.0})],
    "convention": [("relu(x)", "d/dx = 1", {"x": -1.0}), ("relu(x)", "d/dx = 2", {"x": 0.0})],
    "finite-step": [("x**2", "d/dx = 8", {"x": 3.0}), ("x**2", "d/dx = 2*x + 2", {})],
    "misread-precedence": [("(-x)**2", "out = -x**2", {}), ("a/(b*c)", "out = a*c/b + 1", {})],
    "missing-factor": [("3*x**2*y", "d/dy = x**2 + 1", {}), ("3*x**2", "d/dx = x**3", {})],
    "extra-factor": [("x**2/2", "d/dx = 2*x + 1", {}), ("x**2", "d/dx = x**3 + x", {})],
    "antiderivative": [
        ("relu(x - y)*x**2", "d/dy = x**2*relu(y - x)/(y - x)", {}),
        ("x**2", "d/dx = 9", {"x": 3.0}),
    ],
    "degrees": [("x**2", "d/dx = 0.0349", {"x": 1.0}), ("sin(x)", "d/dx = 0.5", {"x": 30.0})],
    "log-base": [("exp(x)", "out = 10", {"x": 1.0}), ("log(x)", "out = 2.1", {"x": 100.0})],
    "rounding": [("exp(x)", "d/dx = 2.8", {"x": 1.0}), ("x**2", "d/dx = 2.1*x", {})],
    "only-at-point": [("x**2", "d/dx = 3*x", {"x": 2.0}), ("x**2", "d/dx = 5", {"x": 2.0})],
}


def cases(table: dict[str, list[tuple[str, str, Mapping[str, float | str]]]]) -> list[object]:
    return [pytest.param(code, *case, id=f"{code}: {case[0]} | {case[1]}") for code in table for case in table[code]]


@pytest.mark.parametrize(("code", "program", "claim", "point"), cases(EXPLAINED))
def test_a_reason_explains(code: str, program: str, claim: str, point: Mapping[str, float | str]) -> None:
    finding = found(program, claim, point)
    assert finding.verdict == "wrong"
    assert code in codes(finding), finding.reasons
    for reason in (*finding.reasons, *finding.also_possible):
        assert reason.text
        assert reason.hint


@pytest.mark.parametrize(("code", "program", "claim", "point"), cases(NEAR_MISSES))
def test_a_near_miss_is_not_explained(code: str, program: str, claim: str, point: Mapping[str, float | str]) -> None:
    finding = found(program, claim, point)
    assert finding.verdict != "right"
    assert code not in codes(finding), finding.reasons


def test_every_reason_has_both() -> None:
    known = {code for code, _ in REASONS} | {"only-at-point"}
    assert known == set(EXPLAINED) == set(NEAR_MISSES)


def test_of_a_number_only_the_simplest_is_told_and_of_a_formula_all() -> None:
    number = found(PRODUCT, "d/da = 3", AT_2_3)
    assert [reason.code for reason in number.reasons] == ["missing-path"]
    assert number.reasons[0].text == "3 is what comes through c; the path through out = c + a adds 1"
    assert "last-path-only" in [reason.code for reason in number.also_possible]
    formula = found(PRODUCT, "d/da = b")
    assert {"missing-path", "last-path-only"} <= {reason.code for reason in formula.reasons}
    assert not formula.also_possible


def test_without_a_reason_there_is_the_distance_and_no_guess() -> None:
    finding = found("x**2", "d/dx = 100", {"x": 3.0})
    assert not finding.reasons
    assert finding.distance == "off by 94, a factor of 16.67; no common slip explains it"


def test_a_slip_is_found_in_a_long_program_too() -> None:
    lines = ["h0 = w*x"] + [f"h{i} = tanh(h{i - 1}) + x" for i in range(1, 1500)]
    program = "\n".join([*lines, "h1499*x"])
    finding = found(program, "d/dx = h1499", {"w": 0.5, "x": 0.3})
    assert finding.verdict == "wrong"
    assert "direct-partial" in codes(finding)
