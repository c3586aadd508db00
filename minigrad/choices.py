"""The choices that mathematics leaves open, as one frozen object.

``CHOICES`` is the only list of them: the object's checks, the command line's flags and the documentation read it.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

from minigrad.errors import ChoiceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True)
class Conventions:
    """What minigrad answers where mathematics leaves a choice. Immutable and hashable; CHOICES says what each may be.

    Attributes:
        relu_at_zero: the derivative of relu at 0.
        abs_at_zero: the derivative of abs at 0.
        ties: who gets the derivative of max and min when operands tie.
        log_domain: what the logarithms do outside their domain; None for "error", or "ieee" where ``ieee`` is on.
        log_epsilon: the floor of log_domain "clamp".
        div_by_zero: what 1/0, 0/0 and 0**-1 are; None for "error", or "ieee" where ``ieee`` is on.
        tanh: how tanh is spelled.
        ieee: whether every pole, domain fault and overflow passes as IEEE 754 has it.

    Raises:
        ChoiceError: for a value that the convention does not have.
    """

    relu_at_zero: float = 0.0
    abs_at_zero: float = 0.0
    ties: str = "split"
    log_domain: str | None = None
    log_epsilon: float = 1e-12
    div_by_zero: str | None = None
    tanh: str = "native"
    ieee: bool = False

    def __post_init__(self) -> None:
        for choice in CHOICES:
            value = getattr(self, choice.name)
            if value is not None or not choice.opened_by_ieee:
                object.__setattr__(self, choice.name, choice.checked(value))

    def in_force(self) -> dict[str, str | float | bool]:
        """Return the value of every convention by its name, with none left open."""
        default = "ieee" if self.ieee else "error"
        return {
            choice.name: default if getattr(self, choice.name) is None else getattr(self, choice.name)
            for choice in CHOICES
        }


class Choice(NamedTuple):
    """One convention: its name, the values it has, and what it decides.

    ``options`` are the words it may be; without them it is a number between ``low`` and ``high``
    (``low`` itself excluded where ``open_low``), or, where neither is given, a switch. ``opened_by_ieee``: left unsaid,
    it follows the switch ``ieee``; an explicit "error" or a clamp is stronger.
    """

    name: str
    help: str
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float = math.inf
    open_low: bool = False
    opened_by_ieee: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off, and neither a word nor a number."""
        return not self.options and self.low is None

    @property
    def values(self) -> str:
        """The values it may take, in words: "split, first or last", "a number from 0 to 1"."""
        if self.options:
            return listed(self.options)
        if self.low is None:
            return "on or off"
        if self.open_low:
            return f"a number above {self.low:g}"
        return f"a number from {self.low:g} to {self.high:g}"

    def checked(self, value: object) -> str | float | bool:
        """Return ``value`` in the convention's own type; raise ChoiceError if it is not one of its values."""
        if self.options:
            if isinstance(value, str) and value in self.options:
                return value
        elif self.low is None:
            if isinstance(value, bool):
                return value
        elif isinstance(value, Real) and not isinstance(value, bool):
            number = float(value)
            above = number > self.low if self.open_low else number >= self.low
            if above and number <= self.high and math.isfinite(number):
                return number
        raise ChoiceError(f"{self.name} is {self.values}, not {value!r}")


CHOICES = (
    Choice("relu_at_zero", "The derivative of relu at 0.", low=0, high=1),
    Choice("abs_at_zero", "The derivative of abs at 0.", low=-1, high=1),
    Choice("ties", "Who gets the derivative when operands of max or min tie.", ("split", "first", "last")),
    Choice(
        "log_domain",
        "The logarithms outside their domain; clamp is the log of max(a, epsilon).",
        ("error", "ieee", "clamp"),
        opened_by_ieee=True,
    ),
    Choice("log_epsilon", "The epsilon of log-domain clamp.", low=0, open_low=True),
    Choice("div_by_zero", "1/0, 0/0 and 0**-1.", ("error", "ieee"), opened_by_ieee=True),
    Choice("tanh", "exp spells tanh(a) as (exp(2a) - 1)/(exp(2a) + 1), node by node.", ("native", "exp")),
    Choice("ieee", "Let every pole, domain fault and overflow through as inf or nan."),
)


def listed(words: Sequence[str]) -> str:
    """Return "a, b or c"."""
    return ", ".join(words[:-1]) + " or " + words[-1]


_current: ContextVar[Conventions] = ContextVar("minigrad_conventions", default=Conventions())  # noqa: B039  # frozen


def current_conventions() -> Conventions:
    """Return the conventions that govern operators on Values here and now."""
    return _current.get()


@contextmanager
def conventions(**given: Any) -> Iterator[Conventions]:
    """Change the conventions of the operators inside a ``with`` block.

    ``with minigrad.conventions(relu_at_zero=0.5): ...``. Arguments are the fields of Conventions. Blocks nest, and
    each thread or task has its own; a generator should not yield inside one, for its caller would be inside it too.

    Raises:
        ChoiceError: for a value that a convention does not have.
        TypeError: for an unknown convention.
    """
    token = _current.set(replace(_current.get(), **given))
    try:
        yield _current.get()
    finally:
        _current.reset(token)
