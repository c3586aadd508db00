"""minigrad: gradients that are right.

    >>> from minigrad import Value
    >>> a, b = Value(2), Value(3)
    >>> c = a * b
    >>> L = c + a
    >>> L.backward()
    >>> L.data, a.grad, b.grad
    (8.0, 4.0, 2.0)

Every function of the language is here by its name and works on Values and numbers (``minigrad.tanh(a)``); each is a
method of Value too (``a.tanh()``). Only the standard library is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad.choices import Conventions, conventions, current_conventions
from minigrad.errors import ChoiceError, MathError, MinigradError
from minigrad.rules import FUNCTIONS, RULES, TABLE, Rule
from minigrad.value import Value, apply

if TYPE_CHECKING:
    from collections.abc import Callable

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "TABLE",
    "ChoiceError",
    "Conventions",
    "MathError",
    "MinigradError",
    "Rule",
    "Value",
    "apply",
    "conventions",
    "current_conventions",
]


def __getattr__(name: str) -> Callable[..., Value]:
    """Return the function ``name`` of the table of rules, on Values and numbers."""
    rule = FUNCTIONS.get(name)
    if rule is None:
        raise AttributeError(f"module 'minigrad' has no attribute {name!r}")

    def function(*operands: Value | float) -> Value:
        return apply(rule, *operands)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return the Value of {rule.formula}."
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return sorted([*globals(), *(name for name in FUNCTIONS if name.isascii())])
