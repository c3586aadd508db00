"""The command line's grammar: which arguments are options, which are variables, which are expressions.

An argument that is exactly --NAME or --NAME=VALUE is an option, if the command has it, or else a variable; it takes the
next argument unless that is one too. Everything else is an expression, a leading minus or not, and so is all that
follows a bare ``--``. Typer alone would take ``-x**2`` for a bundle of short options, and ``1`` in ``--x 1 "x**2"``
for the expression; so the list is sorted out before Typer sees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperGroup

from minigrad_cli.faults import UsageError
from minigrad_cli.flags import let_hint
from minigrad_grammar.names import closest, is_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    import typer

VARIABLES = "minigrad.variables"
"""Where a command finds its variables in ``ctx.meta``: a list of (name, text of the value)."""

_LONG_DASHES = "–—―"


class _Converter:
    """Typer's place for a conversion of values, filled with none: every option here is text until its command reads it.

    Typer from 0.29 on would load pydantic on every run to leave text as it is.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        return value


def _without_conversion(params: list[Any]) -> list[Any]:
    for param in params:
        # A private place: where a version of Typer does not have it, Typer converts as it always did.
        if hasattr(param, "_runtime_param"):
            param._runtime_param = _Converter()
    return params


class Group(TyperGroup):
    """Typer's group of commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_conversion(super().get_params(ctx))


class Command(TyperCommand):
    """Typer's command, with the grammar above."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_conversion(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        params = self.get_params(ctx)
        options = options_of(params)
        switches = options_of(param for param in params if getattr(param, "is_flag", False))
        known, variables, expressions = sort_out(args, options, switches)
        _refuse_repeated(known, options_of(param for param in params if getattr(param, "multiple", False)))
        counts = [param.nargs for param in params if param.param_type_name == "argument"]
        if len(expressions) > sum(counts) and -1 not in counts and "--help" not in known:
            raise _too_many(ctx.info_name, expressions, [name for name in known if name in switches])
        ctx.meta[VARIABLES] = variables
        rest: list[str] = super().parse_args(ctx, [*known, "--", *expressions])
        return rest


def sort_out(
    args: list[str], options: set[str], switches: set[str]
) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """Sort a command's arguments.

    Args:
        args: as the shell gave them.
        options: the command's options, with their dashes.
        switches: those of them that take no value.

    Returns:
        The options with their values, the variables as (name, value), the expressions.

    Raises:
        UsageError: for a missing value, a value for a switch, a long dash, or what is almost an option.
    """
    known: list[str] = []
    variables: list[tuple[str, str]] = []
    expressions: list[str] = []
    rest = iter(range(len(args)))
    for place in rest:
        argument = args[place]
        if argument == "--":
            expressions += args[place + 1 :]
            break
        flag, equal, value = argument.partition("=")
        _refuse_long_dash(argument, flag)
        if not _is_flag(flag, options):
            expressions.append(argument)
            continue
        if flag in switches:
            if equal:
                raise UsageError(f"{flag} takes no value", hint=f"write {flag} alone")
            known.append(flag)
            continue
        if not equal:
            value = args[place + 1] if place + 1 < len(args) else "--"
            if value == "--" or _is_flag(value.partition("=")[0], options):
                raise _value_missing(flag, options)
            next(rest)
        if flag in options:
            known.append(f"{flag}={value}")
        else:
            variables.append((flag[2:], value))
    return known, variables, expressions


def _is_flag(argument: str, options: set[str]) -> bool:
    """Whether an argument, without its =VALUE, is exactly --NAME.

    Raises:
        UsageError: for a misspelt option with a hyphen in it, which no variable's name has; --x-y is an expression.
    """
    if not argument.startswith("--"):
        return False
    if argument in options or is_name(argument[2:]):
        return True
    if argument[2:].replace("-", "_").isidentifier():
        meant = closest(argument, options, likeness=0.75)
        if meant:
            hint = f"did you mean {meant}? Before an expression that begins with --, put --"
            raise UsageError(f"there is no option {argument}", hint=hint)
    return False


def _refuse_repeated(known: list[str], repeatable: set[str]) -> None:
    """Refuse an option that is given twice, since only one of its values could count."""
    names = [argument.partition("=")[0] for argument in known]
    for name in names:
        if names.count(name) > 1 and name not in repeatable:
            raise UsageError(f"{name} is given twice", hint="give it once")


def _refuse_long_dash(argument: str, flag: str) -> None:
    """Refuse –x, —x, and the like, which an editor made of --x."""
    name = flag.lstrip("-" + _LONG_DASHES)
    dashes = flag[: len(flag) - len(name)]
    if dashes.strip("-") and len(dashes) <= len("--") and name.replace("-", "_").isidentifier():
        raise UsageError(f"{argument} begins with a long dash", hint=f"write --{name}, with two short ones")


def _value_missing(name: str, options: set[str]) -> UsageError:
    word = "a value" if name in options else "a number"
    return UsageError(
        f"{name} has no value", hint=f"write {word} after it; for an expression that begins with --, put -- before it"
    )


def _too_many(command: str, expressions: list[str], switches: list[str]) -> UsageError:
    for expression in expressions:
        if expression.startswith("-") and expression[1:].isidentifier():
            return UsageError(
                f"{expression} is an expression here", hint=f"give a variable its value with -{expression}"
            )
    got = f"{command} takes one expression, and got {len(expressions)}"
    for expression in expressions[1:]:
        name, equal, value = expression.partition("=")
        if equal and name.strip().isidentifier():
            hint = f"give a variable its value with --{name.strip()} {value.strip()}"
            return UsageError(got, hint=hint)
    if switches:
        return UsageError(got, hint=f"{switches[0]} takes no value; {let_hint(switches[0])}")
    shown = ", ".join(expressions[:4]) + (", ..." if len(expressions) > 4 else "")
    return UsageError(f"{got}: {shown}", hint="put the expression in quotes, or separate statements with ;")


def options_of(params: Iterable[Any]) -> set[str]:
    """Return the names of a command's options, with their dashes."""
    return {name for param in params for name in param.opts if name.startswith("--")}


def variables_of(ctx: typer.Context) -> list[tuple[str, str]]:
    """Return the variables given as flags, (name, text of the value), in order."""
    found: list[tuple[str, str]] = ctx.meta[VARIABLES]
    return found
