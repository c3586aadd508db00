"""The commands, and what becomes of an error in one of them."""

from __future__ import annotations

import importlib
import io
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import typer

from minigrad import MinigradError, __version__
from minigrad_cli import diagnostics, output
from minigrad_cli.arguments import Command, Group
from minigrad_cli.faults import (
    BAD_INPUT,
    BROKEN,
    INTERRUPTED,
    OK,
    LocatedError,
    UsageError,
    exit_code,
)
from minigrad_grammar.names import closest

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = ("eval", "check", "trace")
"""The commands, each a module of its name in minigrad_cli.commands with a function ``command``."""

_HELP = """A gradient calculator: the value of an expression at a point, and its derivative by every variable.

    minigrad eval "exp(x)*y" --x 1 --y 2

    minigrad check "x**2*y" "d/dx = 2*x*y" "d/dy = x**2"

    minigrad --version prints the version."""


def application(names: Sequence[str]) -> typer.Typer:
    """Return a Typer application of some commands; only their modules are loaded."""
    app = typer.Typer(
        name=diagnostics.PROGRAM,
        cls=Group,
        help=_HELP,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    # Makes a group of a single command too.
    app.callback()(lambda: None)
    for name in names:
        module = importlib.import_module(f"minigrad_cli.commands.{name}")
        app.command(name, cls=Command)(module.command)
    return app


def run(args: list[str]) -> int:
    """Run a command line and return its exit code. Errors are printed to standard error; nothing is raised."""
    try:
        return _dispatch(args)
    except LocatedError as fault:
        diagnostics.report(fault.error, fault.text, fault.prefix)
        return exit_code(fault.error)
    except MinigradError as error:
        diagnostics.report(error)
        return exit_code(error)
    except typer.Abort:
        return INTERRUPTED
    except MemoryError:
        diagnostics.report(MinigradError("there is not enough memory for this program"))
        return BAD_INPUT
    except Exception as fault:  # noqa: BLE001  # the last resort: whatever the input, no traceback
        diagnostics.report(MinigradError(f"minigrad itself failed, with {fault!r}", hint="please report this as a bug"))
        return BROKEN


def _dispatch(args: list[str]) -> int:
    """Run a command and return its exit code."""
    if not args or args[0] == "--help":
        args = ["--help"]
    elif args[0] == "--version":
        output.write(f"minigrad {__version__}\n")
        return OK
    elif args[0] not in COMMANDS:
        raise _not_a_command(args)
    before_dashes = args[: args.index("--")] if "--" in args else args
    try:
        if "--help" in before_dashes:
            output.write(_help(args))
            return OK
        # Typer gives the code of an exit that it made itself (130 for Ctrl-C), and None otherwise.
        code: int | None = application(args[:1])(args, **_AS_A_FUNCTION)
    except _TYPER_ERRORS as fault:
        raise UsageError(fault.format_message()) from None
    return code or OK


# Typer raises and returns, and is asked for no completion by a variable of the environment.
_AS_A_FUNCTION: dict[str, Any] = {"standalone_mode": False, "prog_name": diagnostics.PROGRAM, "complete_var": ""}

# The base of Typer's usage errors, which lives in click or in Typer itself, as the version has it.
_TYPER_ERRORS: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _help(args: list[str]) -> str:
    """Return what Typer prints for --help. It would print it without looking whether it got there."""
    page = io.StringIO()
    with redirect_stdout(page):
        application([args[0]] if args[0] in COMMANDS else COMMANDS)(args, **_AS_A_FUNCTION)
    return page.getvalue()


def _not_a_command(args: list[str]) -> UsageError:
    first = args[0]
    if first.startswith("--") and first[2:3].isalpha():
        return UsageError(f"{first} comes after a command", hint=f'write minigrad eval "EXPRESSION" {first} ...')
    meant = closest(first, COMMANDS) if first.isalpha() else ""
    if meant:
        return UsageError(f"there is no command {first}", hint=f"did you mean minigrad {meant}?")
    if first in ("help", "version"):
        return UsageError(f"there is no command {first}", hint=f"write minigrad --{first}")
    quoted = first if first and '"' not in first else "EXPRESSION"
    return UsageError(
        f"{first} is not a command", hint=f'to evaluate an expression, write minigrad eval "{quoted}" ...'
    )
