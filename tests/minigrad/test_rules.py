"""The table of rules against mpmath, and its two ways of writing against each other."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import mpmath
import pytest
from mpmath import mp, mpf
from ulps import ulps

from minigrad import MathError, Value, apply
from minigrad.choices import Conventions
from minigrad.kernels import TINY
from minigrad.rules import FUNCTIONS, RULES, TABLE, Rule
from minigrad.steps import ARITHMETIC_FAULTS, broken_limit, evaluated, step
from minigrad_grammar import evaluate, parse
from minigrad_grammar.program import substitute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Each function and its derivative, written for mpmath by hand from a table of derivatives.
TRUTH: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "exp": (mpmath.exp, mpmath.exp),
    "log": (mpmath.log, lambda a: 1 / a),
    "tanh": (mpmath.tanh, lambda a: 1 / mpmath.cosh(a) ** 2),
    "sqrt": (mpmath.sqrt, lambda a: 1 / (2 * mpmath.sqrt(a))),
    "cbrt": (lambda a: mpmath.sign(a) * mpmath.cbrt(abs(a)), lambda a: 1 / (3 * mpmath.cbrt(abs(a)) ** 2)),
    "log1p": (mpmath.log1p, lambda a: 1 / (1 + a)),
    "log2": (lambda a: mpmath.log(a) / mpmath.log(2), lambda a: 1 / (a * mpmath.log(2))),
    "log10": (mpmath.log10, lambda a: 1 / (a * mpmath.log(10))),
    "expm1": (mpmath.expm1, mpmath.exp),
    "sin": (mpmath.sin, mpmath.cos),
    "cos": (mpmath.cos, lambda a: -mpmath.sin(a)),
    "tan": (mpmath.tan, lambda a: 1 / mpmath.cos(a) ** 2),
    "asin": (mpmath.asin, lambda a: 1 / mpmath.sqrt((1 - a) * (1 + a))),
    "acos": (mpmath.acos, lambda a: -1 / mpmath.sqrt((1 - a) * (1 + a))),
    "atan": (mpmath.atan, lambda a: 1 / (1 + a * a)),
    "sinh": (mpmath.sinh, mpmath.cosh),
    "cosh": (mpmath.cosh, mpmath.sinh),
    "asinh": (mpmath.asinh, lambda a: 1 / mpmath.sqrt(a * a + 1)),
    "acosh": (mpmath.acosh, lambda a: 1 / mpmath.sqrt((a - 1) * (a + 1))),
    "atanh": (mpmath.atanh, lambda a: 1 / ((1 - a) * (1 + a))),
    "sigmoid": (lambda a: 1 / (1 + mpmath.exp(-a)), lambda a: 1 / (2 + mpmath.exp(-a) + mpmath.exp(a))),
    "softplus": (
        lambda a: max(a, 0) + mpmath.log1p(mpmath.exp(-abs(a))),
        lambda a: 1 / (1 + mpmath.exp(-a)),
    ),
    "erf": (mpmath.erf, lambda a: 2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-a * a)),
    "abs": (abs, mpmath.sign),
    "relu": (lambda a: max(a, 0), lambda a: 1 if a > 0 else 0),
}

HARD = [0.0, 5e-324, 1e-310, TINY, 1e-300, 1e-17, 1e-8, 0.5, 1 - 2**-53, 1.0, 1 + 2**-52, 2.4252697, 4.1388, 20.0]
HARD += [26.5, 40.0, 350.0, 354.6, 700.0, 709.7, 744.0, 1e8, 1e22, 1e150, 1e154, 1e200, 1.7e308]


def points(count: int) -> Iterator[float]:
    """Yield the hard points and random ones of every size, both signs."""
    for point in HARD:
        yield point
        yield -point
    chance = random.Random(7)
    for _ in range(count):
        yield chance.uniform(-10, 10)
        yield chance.uniform(-750, 750)
        yield chance.choice((-1, 1)) * 10 ** chance.uniform(-308, 308)
        yield chance.choice((-1, 1)) * (1 + chance.choice((-1, 1)) * 10 ** chance.uniform(-16, 0))


def normal(true: Any) -> bool:
    return bool(TINY <= abs(true) <= 1.797e308) or true == 0


@pytest.fixture(autouse=True)
def enough_digits() -> Iterator[None]:
    with mp.workdps(80):
        yield


def test_every_function_of_one_operand_has_its_truth() -> None:
    unary = {rule.name for rule in TABLE if rule.is_function and not rule.variadic}
    assert unary == set(TRUTH), "each function needs its truth, and only functions have one"


def remarked(rule: Rule, operands: Sequence[float], c: float, local: Sequence[float], *, decided: bool) -> bool:
    """Whether the row has a remark on a node, because a convention decided or because a number underflowed."""
    return any(
        bool(remark.choice) == decided and evaluated(rule, remark.when, Conventions())(operands, c, local)
        for remark in rule.remarks
    )


def truth(name: str, a: float) -> tuple[Any, Any]:
    """Return a function and its derivative at a point; infinite at a pole."""
    function, slope = TRUTH[name]
    with mp.workdps(400 if abs(a) > 1e20 else 80):
        numbers = []
        for exact in (function, slope):
            try:
                numbers.append(mpf(exact(mpf(a))))
            except (ZeroDivisionError, ValueError):
                numbers.append(mpf("inf"))
        return numbers[0], numbers[1]


@pytest.mark.parametrize("name", TRUTH)
def test_functions_are_right_to_4_ulps_over_their_whole_domain(name: str) -> None:
    rule = RULES[name]
    plain = step(rule, (0,), Conventions())
    measured = 0
    for a in points(150):
        if broken_limit(rule, [a], Conventions()) is not None:
            continue
        if abs(a) > 1e6 and name in ("exp", "expm1", "sinh", "cosh", "softplus", "sigmoid", "tanh", "erf"):
            continue  # saturated or overflowing long before, with exponents that mpmath takes ages for
        true = truth(name, a)
        try:
            c, (local,) = plain(a)
        except ARITHMETIC_FAULTS:
            # A fault inside the domain: only where the true result, or the true derivative, is too large for a double.
            assert max(map(abs, true)) > 1.797e308, (name, a)
            continue
        if remarked(rule, [a], c, [local], decided=True):
            true = true[0], mpf(local)
        for computed, exact in zip((c, local), true, strict=True):
            if normal(exact):
                assert ulps(computed, exact) <= 4, (name, a, computed)
                measured += 1
            if computed == 0 != exact:
                assert remarked(rule, [a], c, [local], decided=False), f"{name} at {a} underflows without a remark"
    assert measured > 100


def test_a_row_that_overflows_on_the_way_is_an_error_and_no_silent_number() -> None:
    careless = Rule("careless", ("a",), "2.0*exp(a)/(1.0 + exp(2.0*a))", ("0.0",), "1/cosh(a)", ("0",))
    with pytest.raises(MathError, match="overflows"):
        apply(careless, Value(400))


EXPONENTS = [0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, -0.5, 1.5, 1 / 3, 2 / 3, 100.0, -100.0, 1001.0, math.pi, 1e-8, 1e17]


def test_powers_are_right_to_4_ulps() -> None:
    chance = random.Random(3)
    compute = step(RULES["pow"], (0,), Conventions())
    for a in points(150):
        for n in (*EXPONENTS, chance.uniform(-3, 3), chance.choice((-1, 1)) * 10 ** chance.uniform(-20, 18)):
            try:
                c, (local,) = compute(a, n)
            except ARITHMETIC_FAULTS:
                continue
            base, exponent = mpf(a), mpf(n)
            if not math.isfinite(c) or not math.isfinite(local) or a == 0:
                continue
            # An exponent in the billions needs the digits of its product with the logarithm.
            with mp.workdps(120):
                for computed, true in ((c, base**exponent), (local, exponent * base ** (exponent - 1))):
                    if normal(true):
                        assert ulps(computed, true) <= 4, (a, n, computed)


@pytest.mark.parametrize(("name", "true"), [
    ("add", lambda a, b: (a + b, 1, 1)),
    ("sub", lambda a, b: (a - b, 1, -1)),
    ("mul", lambda a, b: (a * b, b, a)),
    ("div", lambda a, b: (a / b, 1 / b, -a / b**2)),
])  # fmt: skip
def test_arithmetic_is_right_to_4_ulps(name: str, true: Callable[[Any, Any], tuple[Any, Any, Any]]) -> None:
    compute = step(RULES[name], (0, 1), Conventions())
    values = list(points(60))
    random.Random(1).shuffle(values)
    for a, b in zip(values, reversed(values), strict=True):
        for left, right in ((a, b), (a, 3.0), (1e-320, b), (a, 1e170)):
            if right == 0:
                continue
            c, local = compute(left, right)
            for computed, exact in zip((c, *local), true(mpf(left), mpf(right)), strict=True):
                if normal(mpf(exact)):
                    assert ulps(computed, mpf(exact)) <= 4, (name, left, right, computed)


@pytest.mark.parametrize("name", ["log", "log2", "log10", "log1p"])
def test_clamped_logarithms(name: str) -> None:
    compute = step(RULES[name], (0,), Conventions(log_domain="clamp", log_epsilon=0.01))
    shift = 1.0 if name == "log1p" else 0.0
    base = math.log if name == "log1p" else getattr(math, name)
    for argument in (-5.0, -0.0, 0.0, 0.005):
        assert compute(argument - shift) == (base(0.01), [0.0])
    assert compute(3.0) == step(RULES[name], (0,), Conventions())(3.0)
    assert compute(0.011 - shift)[1] != [0.0]


def samples(rule: Rule) -> list[list[float]]:
    """Return operands where both ways of writing a rule are well conditioned."""
    if rule.variadic:
        return [[0.3, 0.7], [0.7, 0.3]]
    if rule.name == "pow":
        return [[0.3, 2.5], [1.7, -3.0], [2.0, 0.4]]
    if len(rule.operands) > 1:
        return [[0.3, 0.7], [1.7, -0.4]]
    return [[a] for a in (-0.6, 0.3, 0.7, 1.3, 2.7) if broken_limit(rule, [a], Conventions()) is None]


@pytest.mark.parametrize("rule", TABLE, ids=lambda rule: rule.name)
def test_what_is_written_is_what_is_computed(rule: Rule) -> None:
    wanted = tuple(range(len(rule.partials)))
    assert samples(rule), "no operand to try it at"
    for operands in samples(rule):
        letters = dict(zip("ab" if rule.name != "pow" else "an", map(repr, operands), strict=False))
        letters = {letter: f"({number})" for letter, number in letters.items()}
        c, local = step(rule, (0,) if rule.variadic else wanted, Conventions())(*operands)
        assert evaluate(parse(substitute(rule.formula, letters)), {}).value == pytest.approx(c, rel=1e-14)
        for slope, computed in zip(rule.slopes, local, strict=True):
            if " if " in slope:
                assert by_cases(slope, operands) == computed
            else:
                assert evaluate(parse(substitute(slope, letters)), {}).value == pytest.approx(computed, rel=1e-13)


def by_cases(slope: str, operands: list[float]) -> float:
    """Return what a formula with cases says: "1 if a > 0 else 0", "1 if a is the largest else 0"."""
    python = slope.replace("a is the largest", "a == max(operands)").replace("a is the smallest", "a == min(operands)")
    return float(eval(python, {"a": operands[0], "operands": operands}))


@pytest.mark.parametrize("rule", TABLE, ids=lambda rule: rule.name)
def test_what_is_written_can_be_typed(rule: Rule) -> None:
    for slope in rule.slopes:
        if " if " not in slope:
            parse(slope.replace("n", "3") if rule.name == "pow" else slope)


def test_aliases_are_the_usual_other_names() -> None:
    assert FUNCTIONS["ln"] is FUNCTIONS["log"]
    for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh"):
        assert FUNCTIONS[f"arc{name}"] is FUNCTIONS[f"a{name}"]
