"""The two documents that minigrad grew from: their examples, their table, their pitfalls. Expected numbers by hand."""

from __future__ import annotations

import math

import pytest

from minigrad import MathError, Value, conventions


def test_the_four_fields() -> None:
    assert sorted(Value.__slots__) == ["_children", "_local_grads", "data", "grad"]
    assert not hasattr(Value(1), "__dict__")
    a = Value(2)
    assert (a.data, a.grad, a._children, a._local_grads) == (2.0, 0.0, [], [])


def test_the_worked_example() -> None:
    a, b = Value(2), Value(3)
    c = a * b
    assert (c.data, c._children, c._local_grads) == (6.0, [a, b], [3.0, 2.0])
    L = c + a  # noqa: N806  # the seed's name
    assert (L.data, L._children, L._local_grads) == (8.0, [c, a], [1.0, 1.0])
    L.backward()
    assert (L.grad, c.grad, a.grad, b.grad) == (1.0, 1.0, 4.0, 2.0)


def test_the_check_by_a_whole_one() -> None:
    def loss(a: float, b: float) -> float:
        return (Value(a) * Value(b) + Value(a)).data

    assert (loss(2, 3), loss(3, 3), loss(2, 4)) == (8.0, 12.0, 10.0)


# (operation, operands, result, local derivatives): every row of the summary table at several points.
TABLE = [
    (lambda a, b: a + b, (2, 3), 5, (1, 1)),
    (lambda a, b: a + b, (-1.5, 0.25), -1.25, (1, 1)),
    (lambda a, b: a - b, (2, 3), -1, (1, -1)),
    (lambda a, b: a - b, (0, -4), 4, (1, -1)),
    (lambda a: -a, (3,), -3, (-1,)),
    (lambda a: -a, (-0.5,), 0.5, (-1,)),
    (lambda a, b: a * b, (2, 3), 6, (3, 2)),
    (lambda a, b: a * b, (-4, 0), 0, (0, -4)),
    (lambda a, b: a / b, (6, 3), 2, (1 / 3, -2 / 3)),
    (lambda a, b: a / b, (1, -4), -0.25, (-0.25, -1 / 16)),
    (lambda a: a**3, (2,), 8, (12,)),
    (lambda a: a**2, (-3,), 9, (-6,)),
    (lambda a: a**-1, (4,), 0.25, (-1 / 16,)),
    (lambda a: a**0.5, (9,), 3, (1 / 6,)),
    (lambda a: a.exp(), (0,), 1, (1,)),
    (lambda a: a.exp(), (1,), math.e, (math.e,)),
    (lambda a: a.log(), (1,), 0, (1,)),
    (lambda a: a.log(), (4,), math.log(4), (0.25,)),
    (lambda a: a.relu(), (3,), 3, (1,)),
    (lambda a: a.relu(), (-3,), 0, (0,)),
    (lambda a: a.relu(), (0,), 0, (0,)),
    (lambda a: a.tanh(), (0,), 0, (1,)),
    (lambda a: a.tanh(), (math.log(3),), 0.8, (0.36,)),
]


@pytest.mark.parametrize(("operation", "operands", "result", "local"), TABLE)
def test_the_summary_table(operation, operands, result, local) -> None:  # type: ignore[no-untyped-def]
    values = [Value(operand) for operand in operands]
    c = operation(*values)
    assert c.data == pytest.approx(result, rel=1e-15)
    assert c._local_grads == pytest.approx(local, rel=1e-15)
    c.backward()
    assert [value.grad for value in values] == pytest.approx(local, rel=1e-15)


def test_pitfall_data_that_changes_between_forward_and_backward() -> None:
    a, b = Value(2), Value(3)
    c = a * b
    b.data = 100.0
    c.backward()
    assert a.grad == 3.0


def test_pitfall_the_upstream_gradient_is_part_of_a_contribution() -> None:
    a, b, d = Value(2), Value(3), Value(5)
    (a * b * d).backward()
    assert (a.grad, b.grad, d.grad) == (15.0, 10.0, 6.0)


def test_pitfall_the_other_operand() -> None:
    a, b = Value(7), Value(-2)
    (a * b).backward()
    assert (a.grad, b.grad) == (-2.0, 7.0)


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_pitfall_relu_at_zero(zero: float) -> None:
    a = Value(zero)
    a.relu().backward()
    assert a.grad == 0.0
    with conventions(relu_at_zero=0.5):
        a = Value(zero)
        a.relu().backward()
    assert a.grad == 0.5


def test_pitfall_an_exponent_is_a_constant() -> None:
    with pytest.raises(TypeError, match=r"exp\(y\*log\(x\)\)"):
        Value(2) ** Value(3)  # type: ignore[operator]
    with pytest.raises(TypeError, match=r"exp\(x\*log\(2\)\)"):
        2 ** Value(3)
    with pytest.raises(TypeError, match=r"a constant$"):
        (-2) ** Value(3)
    with pytest.raises(TypeError, match="unsupported operand"):
        "a" ** Value(3)  # type: ignore[operator]


def test_tanh_is_one_node_and_subtraction_has_its_own_row() -> None:
    a, b = Value(0.5), Value(0.25)
    assert a.tanh()._children == [a]
    assert (a - b)._children == [a, b]


def test_what_the_seed_left_open_is_an_error() -> None:
    with pytest.raises(MathError, match="division is defined for b != 0"):
        Value(1) / Value(0)
    with pytest.raises(MathError, match="log is defined for a > 0"):
        Value(0).log()
