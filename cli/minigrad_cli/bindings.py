"""From flags to the point: the text of each variable's value becomes a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from minigrad import Conventions, MinigradError
from minigrad_cli.faults import LocatedError, UsageError
from minigrad_grammar import LanguageError, PointError, evaluate, parse
from minigrad_grammar.names import canonical, closest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from minigrad_grammar import Program

_NOT_FINITE = {"inf": math.inf, "infinity": math.inf, "nan": math.nan}


def bindings(flags: Iterable[tuple[str, str]], lets: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Collect the variables that the command line gives a value.

    Args:
        flags: (name, value) of each --NAME VALUE.
        lets: the value of each --let.

    Returns:
        For each name, in canonical form: what stood before the value ("--x "), and the value's text.

    Raises:
        UsageError: for a variable given twice, or a --let that is not NAME=VALUE.
    """
    found: dict[str, tuple[str, str]] = {}
    for name, value in flags:
        _bind(found, name, f"--{name} ", value)
    for let in lets:
        name, equal, value = let.partition("=")
        if not equal or not name.strip():
            raise UsageError(f"--let {let} is not NAME=VALUE", hint="write --let x=1")
        _bind(found, name.strip(), f"--let {name}=", value)
    return found


def _bind(found: dict[str, tuple[str, str]], name: str, prefix: str, value: str) -> None:
    name = canonical(name)
    if name in found:
        raise UsageError(f"{name} is given twice: {found[name][1]} and {value}", hint="give it once")
    found[name] = prefix, value


def point(found: dict[str, tuple[str, str]], conventions: Conventions) -> dict[str, float]:
    """Return the number of each variable that the command line gives.

    Raises:
        LocatedError: for a value that is not a constant expression, or not finite without --ieee.
    """
    return {name: _number(name, *binding, conventions) for name, binding in found.items()}


def _number(name: str, prefix: str, text: str, conventions: Conventions) -> float:
    try:
        return _constant(name, text, conventions)
    except MinigradError as error:
        raise LocatedError(error, text, prefix) from None


def _constant(name: str, text: str, conventions: Conventions) -> float:
    word = text.strip().lower()
    number = _NOT_FINITE.get(word.lstrip("+-"))
    if number is not None:
        if not conventions.ieee:
            raise LanguageError(
                f"the value of {name} is not finite", hint="--ieee lets it through", span=(0, len(text))
            )
        return -number if word.startswith("-") else number
    if not word:
        raise LanguageError(f"the value of {name} is empty", hint="write a number", span=(0, 0))
    program = parse(text)
    if program.inputs:
        variable = next(iter(program.inputs))
        index = program.inputs[variable]
        raise LanguageError(
            f"the value of {name} is a number or a constant expression, and {variable} is a variable",
            hint="write a value such as 2, -1e-3, pi/2 or sqrt(2)",
            span=(program.starts[index], program.ends[index]),
        )
    return evaluate(program, {}, conventions).value


def check_names(program: Program, given: Collection[str], options: Collection[str]) -> None:
    """Refuse a flag that is neither an option nor a variable, and variables without a value.

    Args:
        program: the program.
        given: the names that the command line gives a value.
        options: the command's options, with their dashes.

    Raises:
        UsageError: for an unknown flag.
        PointError: for missing values, all in one message, or a value for what the program computes.
    """
    for name in given:
        if name not in program.inputs and name not in program.labels.values() and name not in program.aliases:
            raise _unknown(program, name, options)
    missing = [name for name in program.inputs if name not in given and name not in program.defaults]
    if missing:
        raise _missing(missing, options)


def _unknown(program: Program, name: str, options: Collection[str]) -> UsageError:
    variables = list(program.inputs)
    meant = closest(name, [option[2:] for option in options] + variables)
    if meant:
        hint = f"did you mean --{meant}?"
    elif variables:
        hint = f"the program's variables are {', '.join(variables)}"
    else:
        hint = "the program has no variables"
    return UsageError(f"there is no option --{name}, and the program has no variable {name}", hint=hint)


def _missing(names: list[str], options: Collection[str]) -> PointError:
    flags = [f"--let {name}=NUMBER" if f"--{name}" in options else f"--{name} NUMBER" for name in names]
    clash = next((name for name in names if f"--{name}" in options), "")
    hint = f"add {' '.join(flags)}"
    if clash:
        hint += f" (--{clash} is an option of this command, so the variable {clash} takes --let)"
    verb = "has" if len(names) == 1 else "have"
    return PointError(f"{', '.join(names)} {verb} no value", tuple(names), hint=hint)
