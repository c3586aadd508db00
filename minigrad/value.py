"""Value: a number that remembers where it came from, so that a gradient can find its way back."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any, NoReturn

from minigrad.choices import current_conventions
from minigrad.errors import MathError
from minigrad.rules import FUNCTIONS, RULES, Rule
from minigrad.steps import ARITHMETIC_FAULTS, careful_step, step

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence


class Value:
    """One node of a computation.

    Operators and functions on Values record, beside the result, the Values it came from and the local derivative
    towards each. A plain number is an operand too, but a constant: it has no gradient and no node.

    Attributes:
        data: the number.
        grad: the derivative of the output by this node, once the output's ``backward()`` has run; 0.0 before.

    Raises:
        TypeError: if ``data`` is not a real number.
        ValueError: if ``data`` is an infinity or nan, and the convention ``ieee`` is not in force.
        OverflowError: if ``data`` is an integer too large for a double.
    """

    __slots__ = ("_children", "_local_grads", "data", "grad")

    # numpy leaves `array * value` and `numpy_float * value` to Value.
    __array_ufunc__ = None

    data: float
    grad: float
    _children: list[Value]
    _local_grads: list[float]

    def __init__(self, data: float) -> None:
        if not isinstance(data, Real):
            raise TypeError(f"a Value holds a real number, not {type(data).__name__}")
        self.data = _number(data)
        self.grad = 0.0
        self._children = []
        self._local_grads = []

    def __repr__(self) -> str:
        return f"Value(data={self.data!r}, grad={self.grad!r})"

    def __copy__(self) -> Value:
        """Return another node for the same operation, from the same Values."""
        copied = new_node(self.data, list(self._children), list(self._local_grads))
        copied.grad = self.grad
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        """Return a copy of the whole graph below this Value, without recursion."""
        for node in topological_order(self, memo):
            copied = memo[id(node)] = node.__copy__()
            copied._children = [memo[id(child)] for child in node._children]
        copy: Value = memo[id(self)]
        return copy

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Value is not pickled: what it shares with other Values would be lost; send its numbers")

    def backward(self) -> None:
        """Add the gradient of this Value to the ``grad`` of every Value that it was computed from.

        Starts from 1, goes in reverse topological order and accumulates with ``+=``. The gradients of interior nodes
        start afresh each time; those of leaves keep what they had, so that a second call adds exactly one gradient
        more (``zero_grad`` clears them).

        Raises:
            MathError: if a gradient overflows and the convention ``ieee`` is not in force; every gradient is then as
                it was before.
        """
        order = topological_order(self)
        before = [node.grad for node in order]
        propagate(order)
        if not current_conventions().ieee and not gradients_finite(order):
            node = first_overflow(order)
            # None where an infinity was let in on the forward pass, and goes on.
            if node is not None:
                for restored, grad in zip(order, before, strict=True):
                    restored.grad = grad
                raise MathError(f"the gradient of {node!r} overflows", kind="gradient")

    def zero_grad(self) -> None:
        """Set the gradient of this Value, and of all that it was computed from, to 0."""
        for node in topological_order(self):
            node.grad = 0.0

    def __add__(self, other: Value | float) -> Value:
        return _operate(RULES["add"], self, other)

    def __radd__(self, other: float) -> Value:
        return _operate(RULES["add"], other, self)

    def __sub__(self, other: Value | float) -> Value:
        return _operate(RULES["sub"], self, other)

    def __rsub__(self, other: float) -> Value:
        return _operate(RULES["sub"], other, self)

    def __mul__(self, other: Value | float) -> Value:
        return _operate(RULES["mul"], self, other)

    def __rmul__(self, other: float) -> Value:
        return _operate(RULES["mul"], other, self)

    def __truediv__(self, other: Value | float) -> Value:
        return _operate(RULES["div"], self, other)

    def __rtruediv__(self, other: float) -> Value:
        return _operate(RULES["div"], other, self)

    def __pow__(self, exponent: float) -> Value:
        return _operate(RULES["pow"], self, exponent)

    def __rpow__(self, base: float) -> Value:
        if not isinstance(base, Real):
            return NotImplemented
        rewrite = f"; for {base!r}**x write exp(x*log({base!r}))" if base > 0 else ""
        raise TypeError(f"the exponent of ** is a constant{rewrite}")

    def __neg__(self) -> Value:
        return _operate(RULES["neg"], self)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return _operate(RULES["abs"], self)

    if TYPE_CHECKING:
        # The methods below are made from the table of rules.
        def __getattr__(self, name: str) -> Callable[..., Value]: ...


def _number(data: float) -> float:
    """Return a real number as a double; refuse what is not finite, unless ieee lets it through."""
    number = float(data)
    if not math.isfinite(number) and not current_conventions().ieee:
        raise ValueError(f"a number is finite, and not {number}, unless conventions(ieee=True) hold")
    return number


def _operate(rule: Rule, *operands: Value | float) -> Value:
    """Apply a rule to Values and numbers under the conventions in force; NotImplemented for any other operand."""
    children: list[Value] = []
    wanted: list[int] = []
    numbers: list[float] = []
    for place, operand in enumerate(operands):
        if isinstance(operand, Value):
            if not rule.variadic and place >= len(rule.partials):
                raise TypeError("the exponent of ** is a constant; for x**y write exp(y*log(x))")
            children.append(operand)
            wanted.append(place)
            numbers.append(operand.data)
        elif isinstance(operand, Real):
            numbers.append(_number(operand))
        else:
            return NotImplemented  # type: ignore[no-any-return]
    conventions = current_conventions()
    arguments = rule, tuple(wanted), conventions
    try:
        c, local = step(*arguments)(*numbers)
        sound = all(map(math.isfinite, (c, *local)))
    except ARITHMETIC_FAULTS:
        sound = False
    if not sound:
        c, local = careful_step(*arguments)(*numbers)
    return new_node(c, children, local)


def new_node(data: float, children: list[Value], local_grads: list[float]) -> Value:
    """Return the Value of an operation: its result, its operands and the local derivative towards each."""
    node: Value = Value.__new__(Value)
    node.data = data
    node.grad = 0.0
    node._children = children
    node._local_grads = local_grads
    return node


def apply(rule: Rule, *operands: Value | float) -> Value:
    """Return the Value of a rule of the table applied to Values and numbers.

    Under the convention tanh="exp", a tanh is spelled out, and the Value is the last of its nodes.

    Raises:
        TypeError: for an operand that is neither, or if their number is wrong.
        MathError: outside the rule's domain, or on overflow, unless a convention in force lets it through.
    """
    if not rule.fits(len(operands)):
        raise TypeError(f"{rule.name} takes {rule.takes}, not {len(operands)}")
    if rule is RULES["tanh"] and current_conventions().tanh == "exp" and isinstance(operands[0], Value):
        return _tanh_by_exp(operands[0])
    result = _operate(rule, *operands)
    if result is NotImplemented:
        kinds = ", ".join(type(operand).__name__ for operand in operands)
        raise TypeError(f"{rule.name} takes Values and real numbers, not {kinds}")
    return result


def _tanh_by_exp(a: Value) -> Value:
    """Return tanh(a) spelled as (exp(2a) - 1)/(exp(2a) + 1), the last of five nodes."""
    grown = apply(RULES["exp"], 2 * a)
    return (grown - 1) / (grown + 1)


def topological_order(output: Value, known: Container[int] = ()) -> list[Value]:
    """Return all that ``output`` was computed from and ``output`` itself, operands before what uses them.

    Args:
        output: the last one.
        known: the ids of Values to leave out, with all that only they were computed from.
    """
    order: list[Value] = []
    seen = {id(output)}
    path = [(output, iter(output._children))]
    while path:
        node, rest = path[-1]
        for child in rest:
            if id(child) not in seen and id(child) not in known:
                seen.add(id(child))
                path.append((child, iter(child._children)))
                break
        else:
            order.append(node)
            path.pop()
    return order


def propagate(order: Sequence[Value]) -> None:
    """Add the gradient of the last of some Values in topological order to them all; interior gradients start afresh."""
    earlier = [(node, node.grad) for node in order if node.grad != 0.0 and not node._children]
    for node in order:
        node.grad = 0.0
    sweep(order)
    for node, grad in earlier:
        node.grad += grad


def sweep(order: Sequence[Value]) -> None:
    """Run the reverse sweep over Values in topological order whose gradients are 0; the last one is the output."""
    order[-1].grad = 1.0
    for node in reversed(order):
        upstream = node.grad
        for child, local in zip(node._children, node._local_grads):  # noqa: B905  # one local derivative a child
            child.grad += local * upstream


def gradients_finite(order: Sequence[Value]) -> bool:
    """Whether the gradient of every Value is finite."""
    return all([math.isfinite(node.grad) for node in order])


def first_overflow(order: Sequence[Value]) -> Value | None:
    """Return the first node of a reverse sweep whose gradient is not finite although all that went into it was."""
    tainted = set()
    for node in reversed(order):
        if not math.isfinite(node.grad) and id(node) not in tainted:
            return node
        for child, local in zip(node._children, node._local_grads, strict=True):
            if not (math.isfinite(node.grad) and math.isfinite(local)):
                tainted.add(id(child))
    return None


def _method(rule: Rule) -> Callable[..., Value]:
    def method(self: Value, *others: Value | float) -> Value:
        return apply(rule, self, *others)

    method.__name__ = rule.name
    method.__qualname__ = f"Value.{rule.name}"
    method.__doc__ = f"Return the Value of {rule.formula}, with this Value as a."
    return method


for _name, _rule in FUNCTIONS.items():
    if _name.isascii():
        setattr(Value, _name, _method(_rule))
