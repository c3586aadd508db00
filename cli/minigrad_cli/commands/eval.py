"""minigrad eval: the table of a forward and a backward pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from minigrad_cli import output
from minigrad_cli.faults import UsageError
from minigrad_cli.numbers import DEFAULT_DIGITS, MACHINE_DIGITS
from minigrad_cli.options import Digits, Expression, File, Let, digits_of, one_of, with_conventions
from minigrad_cli.question import question

if TYPE_CHECKING:
    from minigrad_grammar import Evaluation

_FOR_PEOPLE = ("table", "markdown", "latex")
FORMATS = ("table", "json", "csv", "tsv", "markdown", "latex")


@with_conventions
def command(
    ctx: typer.Context,
    expression: Expression = None,
    file: File = None,
    let: Let = None,
    format: Annotated[  # noqa: A002  # the option's name
        str, typer.Option("--format", metavar="|".join(FORMATS), help="How to print it.")
    ] = "table",
    only_what: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="WHAT", help="Print bare numbers: value, grad, NAME.data or NAME.grad."),
    ] = None,
    digits: Digits = str(DEFAULT_DIGITS),
    **flags: Any,
) -> None:
    """Evaluate an expression at a point, with its derivative by every node.

    minigrad eval "exp(x)*y" --x 1 --y 2

    minigrad eval "a = 2; b = 3; c = a*b; c + a"

    minigrad eval "x**2" --x 3 --only x.grad

    A variable takes its value as --NAME NUMBER, before or after the expression; the number may be a constant
    expression such as pi/2.
    """
    one_of("--format", format, FORMATS)
    if only_what and format != "table":
        raise UsageError("--only prints bare numbers, and has no --format", hint="give one of the two")
    wanted_digits = digits_of(digits)
    asked = question(ctx, expression, file, let, flags)
    if only_what:
        from minigrad_cli.views.only import check_wanted, only

        check_wanted(asked.program, only_what)
        output.write(only(asked.answer(), only_what))
    else:
        output.write(_view(asked.answer(), format, wanted_digits))


def _view(evaluation: Evaluation, format: str, digits: int) -> str:  # noqa: A002
    """Return the evaluation in a format. Each format's module is loaded only when it is wanted."""
    from minigrad_cli.report import report

    told = report(evaluation, digits if format in _FOR_PEOPLE else MACHINE_DIGITS)
    ascii_only = not output.is_unicode()
    if format == "json":
        from minigrad_cli.views.json_view import document

        return document(told, indent=2 if output.is_terminal() else None, ascii_only=ascii_only)
    if format == "table":
        from minigrad_cli.views.table import table

        return table(told, digits, columns=output.columns(), ascii_only=ascii_only)
    if format == "markdown":
        from minigrad_cli.views.markdown import markdown

        text = markdown(told, digits)
    elif format == "latex":
        from minigrad_cli.views.latex import latex

        text = latex(told, digits)
    else:
        from minigrad_cli.views.delimited import delimited

        text = delimited(told, "," if format == "csv" else "\t")
    if ascii_only:
        from minigrad_cli.views.cells import plain

        text = plain(text)
    return text
