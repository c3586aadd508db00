"""What a command is asked: a program, a point, conventions; put together from its arguments in one order for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from minigrad import Conventions, MinigradError
from minigrad_cli.arguments import options_of, variables_of
from minigrad_cli.bindings import bindings, check_flags, point
from minigrad_cli.faults import LocatedError
from minigrad_cli.options import conventions_of
from minigrad_cli.sources import is_file, program_text
from minigrad_grammar import evaluate, parse
from minigrad_grammar.spelling import spelled

if TYPE_CHECKING:
    import typer

    from minigrad_cli.bindings import Binding
    from minigrad_grammar import Evaluation, Program


class Question(NamedTuple):
    """A program, its variables' numbers, the conventions to answer by, and the numbers as the user typed them."""

    program: Program
    point: dict[str, float]
    conventions: Conventions
    given: dict[str, Binding]

    def answer(self) -> Evaluation:
        """Run the program forward and backward.

        Raises:
            LocatedError: for a fault of mathematics, with the program's text.
        """
        try:
            return evaluate(self.program, self.point, self.conventions)
        except MinigradError as error:
            raise LocatedError(error, self.program.text) from None


def question(
    ctx: typer.Context,
    expression: str | None,
    file: str | None,
    let: list[str] | None,
    flags: dict[str, Any],
    *,
    partly: bool = False,
) -> Question:
    """Put a question together from a command's arguments.

    Args:
        ctx: the command's context, with the variables given as flags.
        expression: the argument.
        file: the value of --file.
        let: the values of --let.
        flags: the values of the conventions' flags.
        partly: whether variables may be left without a value.

    Raises:
        UsageError: for what the command line does not say, or says wrongly.
        LocatedError: for a mistake in the program or in a value.
    """
    conventions = conventions_of(flags)
    given = bindings(variables_of(ctx), let or [])
    text = program_text(expression, file)
    try:
        # Spelled here already, so that names are checked against the nodes that there will be.
        program = spelled(parse(text, given), conventions.tanh)
    except MinigradError as error:
        if expression is not None and is_file(expression):
            error.hint = f"to read the program from that file, write --file {expression}"
        raise LocatedError(error, text) from None
    check_flags(program, given, options_of(ctx.command.get_params(ctx)), partly=partly)
    return Question(program, point(given, conventions), conventions, given)
