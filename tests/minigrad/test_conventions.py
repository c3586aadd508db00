"""The choices that mathematics leaves open. Expected numbers are those of the conventions' definitions."""

from __future__ import annotations

import dataclasses
import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

import minigrad
from minigrad import ChoiceError, Conventions, MathError, Value, conventions, current_conventions
from minigrad.choices import CHOICES


def slopes(function: str, *operands: float) -> list[float]:
    values = [Value(operand) for operand in operands]
    getattr(minigrad, function)(*values).backward()
    return [value.grad for value in values]


@pytest.mark.parametrize("slope", [0, 0.25, 1])
def test_relu_at_zero(slope: float) -> None:
    with conventions(relu_at_zero=slope):
        assert slopes("relu", 0) == slopes("relu", -0.0) == [slope]
        assert (slopes("relu", 1e-300), slopes("relu", -1e-300)) == ([1.0], [0.0])


@pytest.mark.parametrize("slope", [-1, 0, 0.5, 1])
def test_abs_at_zero(slope: float) -> None:
    with conventions(abs_at_zero=slope):
        assert slopes("abs", 0) == slopes("abs", -0.0) == [slope]
        assert (slopes("abs", 1e-300), slopes("abs", -1e-300)) == ([1.0], [-1.0])


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("split", [1 / 3, 0, 1 / 3, 1 / 3]), ("first", [1, 0, 0, 0]), ("last", [0, 0, 0, 1])],
)
def test_ties(ties: str, expected: list[float]) -> None:
    with conventions(ties=ties):
        assert slopes("max", 2, 1, 2, 2) == expected
        assert slopes("min", 2, 3, 2, 2) == expected
        assert slopes("max", 0.0, -1, -0.0, 0.0) == expected


def test_a_tie_with_a_constant_and_with_itself() -> None:
    x = Value(0)
    minigrad.max(x, 0).backward()
    assert x.grad == 0.5
    x = Value(2)
    minigrad.min(x, x).backward()
    assert x.grad == 1.0


def test_log_domain() -> None:
    for name in ("log", "log2", "log10"):
        with pytest.raises(MathError):
            slopes(name, 0)
        with conventions(log_domain="ieee"):
            assert getattr(minigrad, name)(Value(0)).data == -math.inf
            assert math.isnan(getattr(minigrad, name)(Value(-1)).data)
            assert math.isnan(getattr(minigrad, name)(Value(-1))._local_grads[0])
        with conventions(log_domain="clamp", log_epsilon=1e-3):
            assert getattr(minigrad, name)(Value(-1)).data == getattr(math, name)(1e-3)
            assert (slopes(name, -1), slopes(name, 1e-3)[0] > 0) == ([0.0], True)


def test_division_by_zero() -> None:
    with conventions(div_by_zero="ieee"):
        assert (Value(1) / 0).data == math.inf
        assert (Value(-1) / 0).data == -math.inf
        assert (Value(1) / -0.0).data == -math.inf
        assert math.isnan((Value(0) / 0).data)
        assert (Value(0) ** -1).data == math.inf
        assert (Value(-0.0) ** -3).data == -math.inf
        with pytest.raises(MathError):
            Value(0).log()
        with pytest.raises(MathError):
            Value(1000).exp()
        # An infinity once let through goes on by IEEE rules.
        assert (1 / (Value(1) / 0)).data == 0.0


def test_a_fault_passes_only_by_its_own_flag_or_by_ieee() -> None:
    with conventions(log_domain="ieee"), pytest.raises(MathError):
        Value(1) / 0
    with conventions(ieee=True):
        assert (Value(1) / 0).data == math.inf
        assert math.isnan(Value(-1).sqrt().data)
        assert Value(1000).exp().data == math.inf


def test_an_explicit_error_or_clamp_is_stronger_than_ieee() -> None:
    with conventions(ieee=True, log_domain="error"), pytest.raises(MathError):
        Value(0).log()
    with conventions(ieee=True, div_by_zero="error"), pytest.raises(MathError):
        Value(1) / 0
    with conventions(ieee=True, log_domain="clamp"):
        assert Value(0).log().data == math.log(1e-12)
    with conventions(log_domain="clamp"), conventions(ieee=True):
        assert Value(0).log().data == math.log(1e-12)
    with conventions(log_domain="error"), conventions(ieee=True), pytest.raises(MathError):
        Value(0).log()
    with conventions(ieee=True), conventions(ieee=False), pytest.raises(MathError):
        Value(0).log()


@pytest.mark.parametrize(
    ("a", "n", "c", "slope"),
    [
        (-math.inf, 1.5, math.inf, None),
        (-math.inf, 3.0, -math.inf, math.inf),
        (-1.0, math.inf, 1.0, None),
        (-0.5, math.inf, 0.0, None),
        (-2.0, math.inf, math.inf, None),
        (-1e200, 4.0, math.inf, -math.inf),
        (-1e200, 3.0, -math.inf, math.inf),
        (-0.0, -3.0, -math.inf, -math.inf),
        (math.inf, 0.3, math.inf, 0.0),
        (math.inf, -1.0, 0.0, -0.0),
    ],
)
def test_powers_by_ieee_754(a: float, n: float, c: float, slope: float | None) -> None:
    with conventions(ieee=True):
        node = Value(a) ** n
    assert node.data == c
    assert slope is None or node._local_grads == [slope]


@pytest.mark.parametrize("n", [0, 0.0])
def test_x_to_the_zero_is_one_with_derivative_zero_everywhere(n: float) -> None:
    for at in (0.0, -0.0, -7.5, 1e300):
        x = Value(at)
        y = x**n
        y.backward()
        assert (y.data, x.grad) == (1.0, 0.0)


def test_a_one_sided_derivative_is_given() -> None:
    x = Value(0)
    (x**1.5).backward()
    assert x.grad == 0.0


def test_blocks_nest_and_threads_have_their_own() -> None:
    assert current_conventions() == Conventions()
    with conventions(relu_at_zero=1):
        with conventions(ties="last"):
            assert (current_conventions().relu_at_zero, current_conventions().ties) == (1.0, "last")
        assert current_conventions().ties == "split"
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(current_conventions).result() == Conventions()
    assert current_conventions() == Conventions()


@pytest.mark.parametrize(
    "given",
    [
        {"relu_at_zero": 2},
        {"relu_at_zero": -0.1},
        {"relu_at_zero": math.nan},
        {"relu_at_zero": "1"},
        {"abs_at_zero": 1.5},
        {"ties": "both"},
        {"log_domain": "warn"},
        {"log_epsilon": 0},
        {"log_epsilon": math.inf},
        {"relu_at_zero": True},
        {"div_by_zero": "clamp"},
        {"tanh": "fast"},
        {"ieee": 1},
    ],
)
def test_a_value_that_a_convention_does_not_have(given: dict[str, object]) -> None:
    with pytest.raises(ChoiceError):
        Conventions(**given)  # type: ignore[arg-type]


def test_any_real_number_will_do() -> None:
    assert Conventions(relu_at_zero=Fraction(1, 2)).relu_at_zero == 0.5  # type: ignore[arg-type]


def test_a_convention_that_there_is_not() -> None:
    with pytest.raises(TypeError, match="rely_at_zero"):
        Conventions(rely_at_zero=0)  # type: ignore[call-arg]


def test_conventions_are_frozen_and_hashable() -> None:
    with pytest.raises(AttributeError):
        Conventions().ties = "last"  # type: ignore[misc]
    assert len({Conventions(), Conventions(ties="split"), Conventions(ties="last")}) == 2


def test_there_is_one_choice_a_convention() -> None:
    assert [choice.name for choice in CHOICES] == [field.name for field in dataclasses.fields(Conventions)]
    assert Conventions(ieee=True).in_force()["log_domain"] == "ieee"
    assert Conventions().in_force()["log_domain"] == "error"


def test_tanh_spelled_with_exp() -> None:
    with conventions(tanh="exp"):
        x = Value(0.5)
        y = x.tanh()
        y.backward()
    assert y._children[0]._children[0]._children[0]._children == [x]
    assert y.data == pytest.approx(math.tanh(0.5), rel=1e-15)
    assert x.grad == pytest.approx(1 - math.tanh(0.5) ** 2, rel=1e-14)


def test_every_convention_says_what_it_may_be() -> None:
    words = {choice.name: choice.values for choice in CHOICES}
    assert words["ties"] == "split, first or last"
    assert words["relu_at_zero"] == "a number from 0 to 1"
    assert words["log_epsilon"] == "a number above 0"
    assert words["ieee"] == "on or off"
