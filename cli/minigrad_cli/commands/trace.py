"""minigrad trace: a backward pass step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from minigrad_cli import output
from minigrad_cli.faults import UsageError
from minigrad_cli.numbers import DEFAULT_DIGITS, MACHINE_DIGITS
from minigrad_cli.options import Digits, Expression, File, Let, digits_of, one_of, with_conventions
from minigrad_cli.question import question

if TYPE_CHECKING:
    from minigrad_cli.question import Question

FORMATS = ("text", "json", "markdown", "latex")


@with_conventions
def command(
    ctx: typer.Context,
    expression: Expression = None,
    file: File = None,
    let: Let = None,
    format: Annotated[  # noqa: A002  # the option's name
        str, typer.Option("--format", metavar="|".join(FORMATS), help="How to print it.")
    ] = "text",
    blank: Annotated[bool, typer.Option("--blank", help="Leave numbered gaps for the numbers: a worksheet.")] = False,
    answers: Annotated[bool, typer.Option("--answers", help="Fill in the gaps of --blank: its key.")] = False,
    symbolic: Annotated[
        bool, typer.Option("--symbolic", help="Give each gradient in symbols, as a sum over paths, instead of steps.")
    ] = False,
    digits: Digits = str(DEFAULT_DIGITS),
    **flags: Any,
) -> None:
    """Show the backward pass step by step, with every contribution to every gradient.

    minigrad trace "c = a*b; c + a" --a 2 --b 3

    minigrad trace "c = a*b; c + a" --symbolic

    minigrad trace "tanh(w*x + b)" --w 2 --x 0.5 --b -1 --blank

    A variable takes its value as --NAME NUMBER. With --symbolic it may do without one.
    """
    one_of("--format", format, FORMATS)
    wanted_digits = digits_of(digits)
    modes = [name for name, given in (("--blank", blank), ("--answers", answers), ("--symbolic", symbolic)) if given]
    if len(modes) > 1:
        raise UsageError(f"{' and '.join(modes)} ask for different things", hint="give one of them")
    if format == "json" and (blank or answers):
        raise UsageError(f"{modes[0]} is for people, and has no --format json", hint="--format text, markdown or latex")
    asked = question(ctx, expression, file, let, flags, partly=symbolic)
    text = _symbols(asked, format, wanted_digits) if symbolic else _steps(asked, format, wanted_digits, modes)
    output.write(text)


def _steps(asked: Question, format: str, digits: int, modes: list[str]) -> str:  # noqa: A002
    """Return the steps in a format. Each format's module is loaded only when it is wanted."""
    from minigrad_cli.derivation import Derivation, Gaps
    from minigrad_cli.report import report

    told = report(asked.answer(), MACHINE_DIGITS if format == "json" else digits)
    if format == "json":
        from minigrad_cli.views.trace_json import document

        return document(Derivation(told, digits, Gaps()), **_json_options())
    if format == "latex":
        from minigrad_cli.views.trace_latex import FILLS, latex

        return _fit(latex(told, digits, Gaps(FILLS[modes[0]] if modes else None)))
    from minigrad_cli.views.trace_text import FILLS, markdown, text

    derivation = Derivation(told, digits, Gaps(FILLS[modes[0]] if modes else None))
    if format == "markdown":
        return _fit(markdown(derivation))
    return text(derivation, columns=output.columns(), ascii_only=not output.is_unicode())


def _symbols(asked: Question, format: str, digits: int) -> str:  # noqa: A002
    """Return the gradients in symbols in a format."""
    from minigrad_cli.symbols import symbols
    from minigrad_cli.views import symbolic

    told = symbols(asked)
    if format == "json":
        return symbolic.document(told, **_json_options())
    if format == "text":
        return symbolic.text(told, digits, ascii_only=not output.is_unicode())
    return _fit((symbolic.markdown if format == "markdown" else symbolic.latex)(told, digits))


def _json_options() -> dict[str, Any]:
    return {"indent": 2 if output.is_terminal() else None, "ascii_only": not output.is_unicode()}


def _fit(text: str) -> str:
    """Return a text as standard output can take it."""
    if output.is_unicode():
        return text
    from minigrad_cli.views.cells import plain

    return plain(text)
