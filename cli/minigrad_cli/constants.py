"""Numbers on the command line: a value is a number or an expression of numbers, wherever one is given."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from minigrad import Conventions, MathError, MinigradError
from minigrad.errors import BY_IEEE
from minigrad_cli.faults import LocatedError
from minigrad_grammar import LanguageError, evaluate, parse
from minigrad_grammar.fold import fold, one_line

if TYPE_CHECKING:
    from minigrad_grammar.bounded import Sure

_NOT_FINITE = {"inf": math.inf, "infinity": math.inf, "nan": math.nan}


class NotFiniteError(LanguageError):
    """A value is an infinity or nan, and --ieee does not let it through."""


def constant(what: str, text: str, prefix: str, conventions: Conventions) -> float:
    """Return the number that a text on the command line stands for.

    Args:
        what: whose value it is, for messages: "x", "--log-epsilon".
        text: 2, -1e-3, pi/2, sqrt(2); inf and nan where ``conventions`` have ieee.
        prefix: what stands before it on the user's line, "--x ".
        conventions: those it is evaluated under.

    Raises:
        LocatedError: if it is not a constant expression, or not finite.
    """
    try:
        number = _number(what, text, conventions)
        if not math.isfinite(number) and not conventions.ieee:
            span = (0, len(text))
            hint = "--ieee lets it through"
            raise NotFiniteError(f"the value of {what} is {number:g}, which is not finite", hint=hint, span=span)
    except MinigradError as error:
        raise LocatedError(error, text, prefix) from None
    return number


def bounded_constant(text: str, number: float, conventions: Conventions) -> Sure:
    """Return the number of a constant expression with the bound of its error: 0.1 is no double, and 2 is one."""
    from minigrad_grammar.bounded import BoundedProgram, Sure

    if not math.isfinite(number):
        return Sure(number)
    program = parse(text)
    return Sure(number, BoundedProgram(program, conventions).run({}).errors[program.output])


def _number(what: str, text: str, conventions: Conventions) -> float:
    word = fold(one_line(text)).lower()
    unsigned = word.lstrip("+-")
    if unsigned in _NOT_FINITE:
        minuses = word[: len(word) - len(unsigned)].count("-")
        return -_NOT_FINITE[unsigned] if minuses % 2 else _NOT_FINITE[unsigned]
    if not word:
        raise LanguageError(f"the value of {what} is empty", hint="write a number", span=(0, 0))
    program = parse(text)
    if program.inputs:
        variable, index = next(iter(program.inputs.items()))
        raise LanguageError(
            f"the value of {what} is a number or a constant expression, and {variable} is a variable",
            hint="write a value such as 2, -1e-3, pi/2 or sqrt(2)",
            span=(program.starts[index], program.ends[index]),
        )
    try:
        return evaluate(program, {}, conventions).value
    except MathError as fault:
        if conventions.ieee:
            raise  # an explicit choice is stronger, and the fault names it
        # A value is finite unless --ieee is given: no other convention lets one through.
        raise fault.waived_by(BY_IEEE) from None
