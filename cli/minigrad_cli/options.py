"""Options that commands share: the program's source, and a flag for each convention."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from minigrad import ChoiceError, Conventions, MathError
from minigrad.choices import CHOICES, Choice, listed
from minigrad_cli.constants import NotFiniteError, constant
from minigrad_cli.faults import LocatedError, UsageError
from minigrad_cli.flags import flag, let_hint
from minigrad_cli.numbers import MOST_DIGITS
from minigrad_grammar.names import closest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Expression = Annotated[
    str | None,
    typer.Argument(metavar="EXPRESSION", help="The program; - reads it from standard input.", show_default=False),
]
File = Annotated[str | None, typer.Option("--file", metavar="FILE", help="Read the program from a file.")]
Let = Annotated[
    list[str] | None,
    typer.Option("--let", metavar="NAME=VALUE", help="Bind a variable, one named like an option too."),
]

Digits = Annotated[
    str, typer.Option("--digits", metavar="N", help="Significant digits, for the formats that people read.")
]


def digits_of(text: str) -> int:
    """Return the value of --digits.

    Raises:
        UsageError: if it is not a number of digits that a double has.
    """
    if text in map(str, range(1, MOST_DIGITS + 1)):
        return int(text)
    raise UsageError(f"--digits is a whole number from 1 to {MOST_DIGITS}, not {text}", hint=let_hint("--digits"))


def with_conventions(command: Callable[..., None]) -> Callable[..., None]:
    """Add a flag for every convention to a command, which gets them as keyword arguments by the conventions' names."""
    signature = inspect.signature(command, eval_str=True)
    own = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
    flags = [
        inspect.Parameter(choice.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for choice in CHOICES
        for default, annotation in [_flag_type(choice)]
    ]
    command.__signature__ = signature.replace(parameters=[*own, *flags])  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *flags]}
    return command


def _flag_type(choice: Choice) -> tuple[bool | None, Any]:
    """Return the default and the annotation of a convention's flag."""
    default = Conventions().in_force()[choice.name]
    if choice.is_switch:
        return False, Annotated[bool, typer.Option(flag(choice.name), help=choice.help)]
    metavar = "|".join(choice.options) if choice.options else "NUMBER"
    shown = default if isinstance(default, str) else f"{default:g}"
    text = f"{choice.help} [default: {shown}]"
    option = typer.Option(flag(choice.name), metavar=metavar, help=text, show_default=False)
    return None, Annotated[str | None, option]


def conventions_of(given: dict[str, Any]) -> Conventions:
    """Return the conventions that a command's flags chose.

    Args:
        given: the flags' texts by the conventions' names; None, or False for a switch, where the user gave none.

    Raises:
        UsageError: for a value that a convention does not have.
        LocatedError: for a number that is none.
    """
    chosen: dict[str, Any] = {
        choice.name: _read(choice, given[choice.name])
        for choice in CHOICES
        if given.get(choice.name) not in (None, False)
    }
    return Conventions(**chosen)


def _read(choice: Choice, text: Any) -> object:
    """Return a flag's value in its convention's type."""
    name = flag(choice.name)
    if choice.options:
        return one_of(name, text, choice.options)
    if choice.is_switch:
        return text
    wrong = UsageError(f"{name} is {choice.values}, not {text}")
    try:
        return choice.checked(constant(name, text, f"{name} ", Conventions()))
    except ChoiceError:
        raise wrong from None
    except LocatedError as located:
        if isinstance(located.error, (MathError, NotFiniteError)):
            raise wrong from None
        raise


def one_of(option: str, text: str, choices: Sequence[str]) -> str:
    """Return ``text`` if it is one of the choices of an option.

    Raises:
        UsageError: if it is not.
    """
    if text in choices:
        return text
    meant = closest(text, choices)
    hint = f"did you mean {option} {meant}?" if meant else let_hint(option)
    raise UsageError(f"{option} is {listed(choices)}, not {text}", hint=hint)
