"""Rows of the table of rules as Python functions.

A *step* computes one node: the result and the local derivatives that are wanted. ``step`` compiles the plain one, which
runs at full speed and leaves faults to whoever called it (an exception, or a number that is not finite).
``careful_step`` gives the same numbers bit for bit, and where there is a fault it decides by the conventions: it raises
a MathError that explains it, or goes on in IEEE 754 arithmetic.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from minigrad.errors import BY_IEEE, MathError
from minigrad.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from minigrad.choices import Conventions
    from minigrad.rules import Limit, Rule

    Step = Callable[..., tuple[float, list[float]]]

ARITHMETIC_FAULTS = (ArithmeticError, ValueError)
"""What a plain step raises on a fault; Python has several names for one thing (math.log(0) is a ValueError)."""


def parameters(rule: Rule) -> str:
    """Return the parameter list of a rule's functions: "a, b"; "*operands" where it takes any number."""
    return "*operands" if rule.variadic else ", ".join(rule.operands)


def _source(rule: Rule, wanted: tuple[int, ...]) -> str:
    """Return the source of a step: the texts of the row, in order."""
    if rule.variadic:
        # One text gives the local derivatives of all operands.
        local = f"list(map(({rule.partials[0]}).__getitem__, wanted))"
    else:
        local = "[" + ", ".join(rule.partials[place] for place in wanted) + "]"
    # Aids that only the derivatives need cost a constant subexpression little, and keep one order of evaluation.
    aids = [f"    {name} = {text}\n" for name, text in rule.aids]
    return f"def step({parameters(rule)}):\n{''.join(aids)}    c = {rule.forward}\n    return c, {local}\n"


def _namespace(conventions: Conventions, vocabulary: dict[str, Any]) -> dict[str, Any]:
    # A convention is read by its name; tanh is a function's too, and no text reads the convention.
    return conventions.in_force() | vocabulary


@lru_cache(maxsize=1024)
def step(rule: Rule, wanted: tuple[int, ...], conventions: Conventions) -> Step:
    """Compile a rule to a function of its operands' numbers.

    Args:
        rule: a row of the table. Its text is minigrad's own; nothing of a user's reaches the compiler.
        wanted: the places of the operands whose local derivatives are wanted, in order.
        conventions: their values are what the row's text sees under their names.

    Returns:
        A function from numbers to (result, [local derivatives]). On a fault it raises one of ARITHMETIC_FAULTS
        or gives a number that is not finite.
    """
    names = _namespace(conventions, VOCABULARY) | {"wanted": wanted}
    exec(compile(_source(rule, wanted), f"<rule {rule.name}>", "exec"), names)
    compiled: Step = names["step"]
    return compiled


@lru_cache(maxsize=1024)
def careful_step(rule: Rule, wanted: tuple[int, ...], conventions: Conventions) -> Step:
    """Compile a rule to a function that explains its faults, or lets them through if ``conventions`` do.

    Arguments and result are those of ``step``; instead of giving up it raises MathError.
    """
    from minigrad.ieee import ieee_vocabulary, in_ieee_arithmetic

    names = _namespace(conventions, ieee_vocabulary()) | {"wanted": wanted}
    exec(in_ieee_arithmetic(_source(rule, wanted), f"<rule {rule.name}>"), names)
    compiled: Step = names["step"]

    def careful(*operands: float) -> tuple[float, list[float]]:
        c, local = compiled(*operands)
        finite_operands = all(map(math.isfinite, operands))
        broken = broken_limit(rule, operands, conventions)
        if broken is not None:
            return _past_limit(rule, broken, operands, conventions, c, local)
        if finite_operands and not conventions.ieee:
            _refuse_infinite(rule, wanted, operands, conventions, c, local)
        return c, local

    return careful


def _past_limit(
    rule: Rule, limit: Limit, operands: tuple[float, ...], conventions: Conventions, c: float, local: list[float]
) -> tuple[float, list[float]]:
    """Return result and local derivatives outside the domain: an infinity at a pole, else nan; or refuse them.

    An operand that is infinite or nan itself was let through before, and goes on.
    """
    pole = evaluated(rule, limit.pole, conventions)(operands, c)
    if all(map(math.isfinite, operands)) and not _opened(limit, conventions):
        raise _limit_error(rule, limit, operands, "pole" if pole else "domain")
    if pole:
        return evaluated(rule, limit.at_pole, conventions)(operands, c), local
    return math.nan, [math.nan] * len(local)


def _refuse_infinite(
    rule: Rule,
    wanted: tuple[int, ...],
    operands: tuple[float, ...],
    conventions: Conventions,
    c: float,
    local: list[float],
) -> None:
    """Refuse, for finite operands inside the domain, a result or a local derivative that is not finite."""
    if not math.isfinite(c):
        raise _overflow_error(rule, operands)
    for place, slope in zip(wanted, local, strict=True):
        if not math.isfinite(slope):
            raise _slope_error(rule, place, operands)
    # A row whose text overflows on the way to a finite result is not to be trusted with it.
    try:
        step(rule, wanted, conventions)(*operands)
    except ARITHMETIC_FAULTS:
        raise _overflow_error(rule, operands) from None


@lru_cache(maxsize=1024)
def evaluated(rule: Rule, text: str, conventions: Conventions) -> Callable[..., Any]:
    """Compile a condition or a number of a row's to a function of (operands, result, local derivatives)."""
    source = f"lambda {parameters(rule)}, c, local: {text}"
    names = _namespace(conventions, VOCABULARY)
    compiled = eval(compile(source, f"<condition of {rule.name}>", "eval"), names)

    def function(operands: Sequence[float], c: float, local: Sequence[float] = ()) -> Any:
        return compiled(*operands, c=c, local=local)

    return function


def broken_limit(rule: Rule, operands: Sequence[float], conventions: Conventions) -> Limit | None:
    """Return the first limit of the domain that the operands are outside of, or None. Nan is outside of nothing."""
    if not any(map(math.isnan, operands)):
        for limit in rule.limits:
            if not evaluated(rule, limit.holds, conventions)(operands, math.nan):
                return limit
    return None


def _opened(limit: Limit, conventions: Conventions) -> bool:
    """Whether the conventions in force let a number pass this limit. A limit's own convention beats ieee."""
    return conventions.in_force()[limit.choice] in limit.openings if limit.choice else conventions.ieee


def _limit_error(rule: Rule, limit: Limit, operands: Sequence[float], kind: str) -> MathError:
    """Return the error of operands outside a limit."""
    waivers = tuple((limit.choice, opening) for opening in limit.openings) or BY_IEEE
    head = limit.says.format(n=f"{operands[-1]:.6g}")
    return MathError(head, kind=kind, rule=rule, operands=operands, waivers=waivers, hint=limit.hint)


def _overflow_error(rule: Rule, operands: Sequence[float]) -> MathError:
    return MathError(f"{rule.formula} overflows", kind="overflow", rule=rule, operands=operands)


def _slope_error(rule: Rule, place: int, operands: Sequence[float]) -> MathError:
    """Return the error of an infinite local derivative towards the operand at ``place``."""
    head = f"the derivative of {rule.formula} by {rule.operands[place]} is {rule.slopes[place]}, which is not finite"
    return MathError(head, kind="derivative", rule=rule, operands=operands)
