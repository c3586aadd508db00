"""minigrad check: claims derived by hand against the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from minigrad import Conventions
from minigrad_cli import output
from minigrad_cli.arguments import options_of
from minigrad_cli.constants import bounded_constant, constant
from minigrad_cli.faults import CLAIMS_FAILED, UsageError
from minigrad_cli.options import File, Let, one_of, with_conventions
from minigrad_cli.question import question
from minigrad_cli.sources import STANDARD_INPUT, Line, claim_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from minigrad_cli.findings import Findings
    from minigrad_cli.question import Question
    from minigrad_grammar.bounded import Sure
    from minigrad_grammar.checking import Claim

FORMATS = ("table", "json", "csv", "markdown")


@with_conventions
def command(
    ctx: typer.Context,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="EXPRESSION CLAIM...",
            help='The program, and claims such as "d/dx = 2*x" or "c = 6"; with --file, claims alone.',
            show_default=False,
        ),
    ] = None,
    file: File = None,
    claims: Annotated[
        str | None, typer.Option("--claims", metavar="FILE", help="Read claims from a file, one a line.")
    ] = None,
    let: Let = None,
    rel_tol: Annotated[
        str | None,
        typer.Option("--rel-tol", metavar="NUMBER", help="Take claimed numbers that are so close, relatively."),
    ] = None,
    format: Annotated[  # noqa: A002  # the option's name
        str, typer.Option("--format", metavar="|".join(FORMATS), help="How to print it.")
    ] = "table",
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing; the exit code says it.")] = False,
    hint_only: Annotated[
        bool, typer.Option("--hint-only", help="Say what went wrong, and not what would be right.")
    ] = False,
    all_nodes: Annotated[bool, typer.Option("--all", help="List what nobody claimed, too.")] = False,
    **flags: Any,
) -> None:
    """Check hand-derived claims about a program, and say of the wrong ones what probably went wrong.

    minigrad check "x**2*y" "d/dx = 2*x*y" "d/dy = x**2"

    minigrad check "c = a*b; c + a" --a 2 --b 3 "c = 6" "d/da = 4" "dc/da = b"

    minigrad check "tanh(x)" "d/dx = 1 - tanh(x)**2" --format json

    The exit code is 0 if every claim is right, and 1 if one is wrong or could not be tested.
    """
    one_of("--format", format, FORMATS)
    expression, written = _program_and_claims(arguments or [], file)
    if claims == STANDARD_INPUT in (expression, file):
        raise UsageError("standard input cannot be both the program and the claims", hint="put one of them in a file")
    tolerance = _tolerance(rel_tol)
    asked = question(ctx, expression, file, let, flags, partly=True)
    lines = [Line(text) for text in written] + (claim_lines(claims) if claims is not None else [])
    if not lines and not all_nodes:
        where = "there is no claim" + ("" if claims is None else f" in {claims}")
        raise UsageError(where, hint='give one, such as "d/dx = 2*x", or --claims FILE')
    claimed = [(line, line.read(asked.program)) for line in lines]
    found = _findings(ctx, asked, claimed, tolerance, all_nodes=all_nodes)
    if not quiet:
        output.write(_view(found, format, hint_only=hint_only))
    if not found.all_right:
        raise typer.Exit(CLAIMS_FAILED)


def _program_and_claims(arguments: Sequence[str], file: str | None) -> tuple[str | None, Sequence[str]]:
    """Return the program and the claims; with --file every argument is a claim."""
    if file is not None or not arguments:
        return None, arguments
    return arguments[0], arguments[1:]


def _tolerance(text: str | None) -> float | None:
    """Return the value of --rel-tol."""
    if text is None:
        return None
    number = constant("--rel-tol", text, "--rel-tol ", Conventions())
    if not 0.0 <= number < 1.0:
        raise UsageError(f"--rel-tol is a number from 0 up to 1, not {text}", hint="write 1e-6 for a millionth")
    return number


def _findings(
    ctx: typer.Context, asked: Question, claims: list[tuple[Line, Claim]], tolerance: float | None, *, all_nodes: bool
) -> Findings:
    from minigrad_cli.findings import Findings, unclaimed
    from minigrad_grammar.checking import Checker

    program = asked.program
    if all(name in asked.given or name in program.defaults for name in program.inputs):
        # A fault at the point is an error here as it is everywhere.
        asked.answer()
    checker = Checker(program, asked.conventions, _bounded_point(asked), tolerance)
    found = [(line.number, checker.check(claim)) for line, claim in claims]
    rest = unclaimed(checker, [claim for _, claim in claims]) if all_nodes else None
    return Findings(program, found, rest, options_of(ctx.command.get_params(ctx)))


def _bounded_point(asked: Question) -> dict[str, Sure]:
    """Return the given numbers with the bounds of their errors."""
    return {
        name: bounded_constant(binding.text, asked.point[name], asked.conventions)
        for name, binding in asked.given.items()
    }


def _view(found: Findings, format: str, *, hint_only: bool) -> str:  # noqa: A002
    from minigrad_cli.views import findings as views

    ascii_only = not output.is_unicode()
    if format == "json":
        indent = 2 if output.is_terminal() else None
        return views.json_document(found, hint_only=hint_only, indent=indent, ascii_only=ascii_only)
    if format == "table":
        return views.table(found, hint_only=hint_only, columns=output.columns(), ascii_only=ascii_only)
    text = views.markdown(found, hint_only=hint_only) if format == "markdown" else views.csv(found, hint_only=hint_only)
    if ascii_only:
        from minigrad_cli.views.cells import plain

        text = plain(text)
    return text
