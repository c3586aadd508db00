"""Numbers on the command line: a value is a number or an expression of numbers, wherever one is given."""

from __future__ import annotations

import math

from minigrad import Conventions, MinigradError
from minigrad_cli.faults import LocatedError
from minigrad_grammar import LanguageError, evaluate, parse

_NOT_FINITE = {"inf": math.inf, "infinity": math.inf, "nan": math.nan}


def constant(what: str, text: str, prefix: str, conventions: Conventions) -> float:
    """Return the number that a text on the command line stands for.

    Args:
        what: whose value it is, for messages: "x", "--log-epsilon".
        text: 2, -1e-3, pi/2, sqrt(2); inf and nan where ``conventions`` let them through.
        prefix: what stands before it on the user's line, "--x ".
        conventions: those it is evaluated under.

    Raises:
        LocatedError: if it is not a constant expression, or not finite.
    """
    try:
        return _number(what, text, conventions)
    except MinigradError as error:
        raise LocatedError(error, text, prefix) from None


def _number(what: str, text: str, conventions: Conventions) -> float:
    word = text.strip().lower()
    number = _NOT_FINITE.get(word.lstrip("+-"))
    if number is not None:
        if not conventions.ieee:
            raise LanguageError(
                f"the value of {what} is not finite", hint="--ieee lets it through", span=(0, len(text))
            )
        return -number if word.startswith("-") else number
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
    return evaluate(program, {}, conventions).value
