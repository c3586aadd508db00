"""The choices that mathematics leaves open, as one frozen object.

``CHOICES`` is the only list of them: the object's checks, the command line's flags and the documentation read it.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, NamedTuple

from minigrad.errors import ChoiceError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Conventions:
    """What minigrad answers where mathematics leaves a choice. Immutable and hashable.

    Attributes:
        relu_at_zero: the derivative of relu at 0, from 0 to 1.
        abs_at_zero: the derivative of abs at 0, from -1 to 1.
        ties: who gets the derivative of max and min when operands tie: "split", "first" or "last".
        log_domain: the logarithms outside their domain: "error", "ieee", or "clamp" (the log of max(a, log_epsilon)).
        log_epsilon: the floor of "clamp", above 0.
        div_by_zero: 1/0, 0/0 and 0**-1: "error" or "ieee".
        tanh: "native" (one node), or "exp": programs spell it (exp(2a) - 1)/(exp(2a) + 1).
        ieee: True lets every pole, domain fault and overflow through as IEEE 754 has it.

    Raises:
        ChoiceError: for a value that the convention does not have.
    """

    relu_at_zero: float = 0.0
    abs_at_zero: float = 0.0
    ties: str = "split"
    log_domain: str = "error"
    log_epsilon: float = 1e-12
    div_by_zero: str = "error"
    tanh: str = "native"
    ieee: bool = False

    def __post_init__(self) -> None:
        for choice in CHOICES:
            object.__setattr__(self, choice.name, choice.checked(getattr(self, choice.name)))


class Choice(NamedTuple):
    """One convention: its name, the values it has, and what it decides.

    ``options`` are the words it may be; without them it is a number between ``low`` and ``high``
    (``low`` itself excluded where ``open_low``), or, where neither is given, a switch.
    """

    name: str
    help: str
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float = math.inf
    open_low: bool = False

    @property
    def values(self) -> str:
        """The values it may take, in words: "split, first or last", "a number from 0 to 1"."""
        if self.options:
            return ", ".join(self.options[:-1]) + " or " + self.options[-1]
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
        elif isinstance(value, (int, float)):
            above = value > self.low if self.open_low else value >= self.low
            if above and value <= self.high and math.isfinite(value):
                return float(value)
        raise ChoiceError(f"{self.name} is {self.values}, not {value!r}")


CHOICES = (
    Choice("relu_at_zero", "The derivative of relu at 0.", low=0, high=1),
    Choice("abs_at_zero", "The derivative of abs at 0.", low=-1, high=1),
    Choice("ties", "Who gets the derivative when operands of max or min tie.", ("split", "first", "last")),
    Choice(
        "log_domain",
        "The logarithms outside their domain; clamp is the log of max(a, epsilon).",
        ("error", "ieee", "clamp"),
    ),
    Choice("log_epsilon", "The epsilon of --log-domain clamp.", low=0, open_low=True),
    Choice("div_by_zero", "1/0, 0/0 and 0**-1.", ("error", "ieee")),
    Choice("tanh", "exp spells tanh(a) as (exp(2a) - 1)/(exp(2a) + 1), node by node.", ("native", "exp")),
    Choice("ieee", "Let every pole, domain fault and overflow through as inf or nan."),
)

# --ieee opens these too, unless the user chose otherwise in the same breath.
_OPENED_BY_IEEE = ("log_domain", "div_by_zero")

_current: ContextVar[Conventions] = ContextVar("minigrad_conventions", default=Conventions())  # noqa: B039  # frozen


def choose(base: Conventions | None = None, **given: object) -> Conventions:
    """Return ``base`` (the defaults, without one) with the given conventions changed.

    ``ieee=True`` also opens log_domain and div_by_zero where they stand at "error" and are not among ``given``:
    an explicit "error" or a clamp is stronger.

    Raises:
        ChoiceError: for an unknown convention or a value it does not have.
    """
    base = base or Conventions()
    known = {field.name for field in fields(Conventions)}
    for name in given:
        if name not in known:
            raise ChoiceError(f"there is no convention {name!r}; there are {', '.join(sorted(known))}")
    if given.get("ieee") is True:
        for name in _OPENED_BY_IEEE:
            if getattr(base, name) == "error":
                given.setdefault(name, "ieee")
    return replace(base, **given)  # type: ignore[arg-type]  # __post_init__ checks each value


def current_conventions() -> Conventions:
    """Return the conventions that govern operators on Values here and now."""
    return _current.get()


@contextmanager
def conventions(**given: object) -> Iterator[Conventions]:
    """Change the conventions of the operators inside a ``with`` block.

    ``with minigrad.conventions(relu_at_zero=0.5): ...``. Arguments are the fields of Conventions. Blocks nest, and
    each thread or task has its own.

    Raises:
        ChoiceError: for an unknown convention or a value it does not have.
    """
    token = _current.set(choose(_current.get(), **given))
    try:
        yield _current.get()
    finally:
        _current.reset(token)
