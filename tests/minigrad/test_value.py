"""Value as a library: operators, functions, backward, faults."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

import minigrad
from minigrad import MathError, Value, conventions
from minigrad.rules import FUNCTIONS, RULES, TABLE, Rule

if TYPE_CHECKING:
    from collections.abc import Callable


def test_numbers_on_either_side() -> None:
    x = Value(4)
    for result, data, slope in [
        (x + 2, 6, 1),
        (2 + x, 6, 1),
        (x - 2, 2, 1),
        (2 - x, -2, -1),
        (x * 2, 8, 2),
        (2 * x, 8, 2),
        (x / 2, 2, 0.5),
        (2 / x, 0.5, -0.125),
        (x**2, 16, 8),
        (+x, 4, 1),
        (-x, -4, -1),
        (abs(-x), 4, 1),
        (x + Fraction(1, 2), 4.5, 1),  # type: ignore[operator]  # a Real, if no float to mypy
        (x + True, 5, 1),
    ]:
        x.grad = 0.0
        result.backward()
        assert (result.data, x.grad) == (data, slope)


def test_a_number_is_a_constant_and_no_child() -> None:
    x = Value(4)
    assert (2 / x)._children == [x]
    assert (x**3)._children == [x]


@pytest.mark.parametrize("other", ["1", None, 1j, [1]])
def test_what_is_not_a_number_is_a_type_error(other: object) -> None:
    with pytest.raises(TypeError):
        Value(1) + other  # type: ignore[operator]
    with pytest.raises(TypeError):
        other * Value(1)  # type: ignore[operator]
    with pytest.raises(TypeError):
        Value(other)  # type: ignore[arg-type]


def test_augmented_assignment_makes_a_new_node() -> None:
    a = b = Value(2)
    b += 1
    assert (a.data, b.data) == (2.0, 3.0)


def test_backward_accumulates_over_paths() -> None:
    x = Value(3)
    y = x * x + x
    y.backward()
    assert x.grad == 7.0


def test_a_second_backward_adds_exactly_one_more_gradient() -> None:
    a, b = Value(0.1), Value(0.7)
    c = a * b
    out = c.tanh() * c + a / 3
    out.backward()
    first = a.grad, b.grad, c.grad
    out.backward()
    assert (a.grad, b.grad) == (2 * first[0], 2 * first[1])
    assert (c.grad, out.grad) == (first[2], 1.0)
    out.zero_grad()
    assert [node.grad for node in (a, b, c, out)] == [0.0] * 4
    out.backward()
    assert (a.grad, b.grad, c.grad) == first


def test_backward_of_a_leaf() -> None:
    x = Value(3)
    x.backward()
    x.backward()
    assert x.grad == 2.0


def test_sharing_is_not_expanded() -> None:
    x = Value(1.0)
    node = x
    for _ in range(200):
        node = node + node
    node.backward()
    assert x.grad == 2.0**200


def test_a_long_chain_neither_recurses_nor_leaks_a_recursion_when_freed() -> None:
    x = Value(1.0)
    node = x
    for _ in range(300_000):
        node = node + 1
    node.backward()
    assert x.grad == 1.0
    assert "300001" in repr(node)
    del node


def test_every_function_of_the_table_is_a_function_and_a_method() -> None:
    for name, rule in FUNCTIONS.items():
        at = 1.5 if rule.name == "acosh" else 0.5
        more = (0.25,) if rule.variadic else ()
        result = getattr(minigrad, name)(Value(at), *more)
        if name.isascii():
            assert getattr(Value(at), name)(*more).data == result.data
            assert name in dir(minigrad)


def test_functions_take_numbers_too_and_refuse_the_rest() -> None:
    assert minigrad.tanh(0.5).data == math.tanh(0.5)
    with pytest.raises(TypeError, match="takes one operand, not 2"):
        minigrad.tanh(Value(1), Value(2))
    with pytest.raises(TypeError, match="two operands or more"):
        minigrad.max(Value(1))
    with pytest.raises(TypeError, match="not str"):
        minigrad.exp("1")
    with pytest.raises(AttributeError, match="no attribute 'sinn'"):
        minigrad.sinn(Value(1))


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_value_is_finite_unless_ieee(number: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Value(number)
    with conventions(ieee=True):
        assert not math.isfinite(Value(number).data)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: Value(0).log(), "pole"),
        (lambda: Value(-1).log(), "domain"),
        (lambda: Value(1) / 0, "pole"),
        (lambda: Value(0) / Value(0), "domain"),
        (lambda: Value(0) ** -1, "pole"),
        (lambda: Value(-8) ** (1 / 3), "domain"),
        (lambda: Value(1000).exp(), "overflow"),
        (lambda: Value(1e308) * 10, "overflow"),
        (lambda: Value(1e308) + 1e308, "overflow"),
        (lambda: Value(1e200) ** 2, "overflow"),
        (lambda: Value(0).sqrt(), "derivative"),
        (lambda: Value(0) ** 0.5, "derivative"),
        (lambda: Value(0).cbrt(), "derivative"),
        (lambda: Value(1).asin(), "derivative"),
        (lambda: Value(1).acosh(), "derivative"),
        (lambda: Value(5e-324).log(), "derivative"),
        (lambda: 1 / Value(1e-170), "derivative"),
        (lambda: Value(2).asin(), "domain"),
        (lambda: Value(1).atanh(), "pole"),
    ],
)
def test_a_fault_is_an_error_of_its_kind_and_ieee_lets_it_through(make, kind) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(MathError) as caught:
        make()
    assert caught.value.kind == kind
    with conventions(ieee=True):
        node = make()
    assert not all(map(math.isfinite, (node.data, *node._local_grads)))


def test_a_gradient_that_overflows_is_an_error() -> None:
    x = Value(1e-200)
    y = x * 1e200 * 1e200
    with pytest.raises(MathError, match=r"gradient of .* overflows") as caught:
        y.backward()
    assert caught.value.kind == "gradient"
    assert (x.grad, y.grad) == (0.0, 0.0)
    with conventions(ieee=True):
        y.backward()
    assert x.grad == math.inf


def test_a_failed_backward_leaves_gradients_as_they_were() -> None:
    x = Value(1e-300)
    (x * 2).backward()
    with pytest.raises(MathError):
        (x * 1e200 * 1e200).backward()
    assert x.grad == 2.0


def test_copies() -> None:
    a = Value(2)
    b = a * 3 + a
    b.backward()
    assert copy.copy(b)._children == b._children
    copied, leaf = copy.deepcopy([b, a])
    assert (copied.data, copied.grad, leaf.grad) == (8.0, 1.0, 4.0)
    assert copied._children[1] is leaf
    assert leaf is not a


def test_copying_a_long_chain_does_not_recurse() -> None:
    node = Value(1.0)
    for _ in range(20_000):
        node = node + 1
    assert copy.deepcopy(node).data == 20_001
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(node)


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_number_beside_a_value_is_finite_unless_ieee(number: float) -> None:
    operations: list[Callable[[], Value]] = [
        lambda: Value(1) + number,
        lambda: number * Value(1),
        lambda: minigrad.exp(number),
    ]
    for operate in operations:
        with pytest.raises(ValueError, match="finite"):
            operate()
        with conventions(ieee=True):
            operate()
    with pytest.raises(OverflowError):
        Value(1) + 10**400


def test_an_exponent_is_a_constant_whichever_way_it_comes() -> None:
    with pytest.raises(TypeError, match="exponent"):
        minigrad.apply(minigrad.RULES["pow"], Value(2), Value(3))


def test_only_the_standard_library_is_imported() -> None:
    code = (
        "import sys; from minigrad import Value; import minigrad; minigrad.tanh(Value(1)).backward();"
        "bad = {name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names) - {'minigrad', '__main__'};"
        "print(sorted(name for name in bad if not name.startswith(('_', 'sitecustomize', 'usercustomize'))))"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_numpy_leaves_its_operators_to_value() -> None:
    numpy = pytest.importorskip("numpy")
    x = Value(4)
    result = numpy.float64(2) * x
    assert isinstance(result, Value)
    assert (result.data, result._children) == (8.0, [x])
    with pytest.raises(TypeError):
        numpy.array([1.0, 2.0]) * x


def test_a_row_of_ones_own_takes_no_other_rows_place() -> None:
    mine = Rule("exp", ("a",), "a", ("1.0",), "a", ("1",))
    assert copy.copy(RULES["exp"]) is RULES["exp"]
    assert pickle.loads(pickle.dumps(RULES["exp"])) is RULES["exp"]
    assert pickle.loads(pickle.dumps(mine)).forward == "a"


def test_the_table_names_every_operation_once() -> None:
    names = [name for rule in TABLE for name in (rule.name, *rule.aliases)]
    assert len(names) == len(set(names))
