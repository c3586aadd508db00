"""Text to Program, in time and memory linear in the length of the text, whatever its depth."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from minigrad_grammar.brackets import Brackets
from minigrad_grammar.build import Builder
from minigrad_grammar.errors import MissingProductError
from minigrad_grammar.fold import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from minigrad_grammar.program import Program

GRAMMAR = Path(__file__).with_name("expression.lark")


class _Parser(NamedTuple):
    """A parser and the two objects that it was made to report to. One parses one text at a time."""

    parse: Callable[[str], Any]
    builder: Builder
    brackets: Brackets


class _Backend(NamedTuple):
    """A way to make parsers, and the exceptions that they raise."""

    make: Callable[[Builder, Brackets], Callable[[str], Any]]
    unexpected_token: type[Exception]
    unexpected_character: type[Exception]


def from_lark(grammar: str) -> _Backend:
    """Return parsers that lark makes from the grammar on the spot (some 20 ms)."""
    import lark

    def make(builder: Builder, brackets: Brackets) -> Callable[[str], Any]:
        # lark takes any object with the methods' names; its annotations know only its own classes.
        stages: dict[str, Any] = {"transformer": builder, "postlex": brackets}
        return lark.Lark(grammar, parser="lalr", lexer="basic", start="program", **stages).parse

    return _Backend(make, lark.UnexpectedToken, lark.UnexpectedCharacters)


def from_tables(grammar: str) -> _Backend | None:
    """Return parsers over the tables that lark prepared when minigrad was built (1 ms, and lark is not imported).

    None if there are none, as in a checkout that was not installed, or if they were made from another grammar.
    """
    try:
        from minigrad_grammar import _standalone
    except ImportError:
        return None
    if grammar != _standalone.GRAMMAR:
        return None

    def make(builder: Builder, brackets: Brackets) -> Callable[[str], Any]:
        parse: Callable[[str], Any] = _standalone.Lark_StandAlone(transformer=builder, postlex=brackets).parse
        return parse

    return _Backend(make, _standalone.UnexpectedToken, _standalone.UnexpectedCharacters)


@cache
def backend() -> _Backend:
    """Return the quicker of the two ways that is there."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    return from_tables(grammar) or from_lark(grammar)


# Parsers at rest. One that is parsing is taken out, so that threads and nested calls never share one.
_idle: list[_Parser] = []


def _new_parser() -> _Parser:
    builder, brackets = Builder(), Brackets()
    return _Parser(backend().make(builder, brackets), builder, brackets)


def parse(text: str, given: Collection[str] = (), *, any_exponent: bool = False) -> Program:
    """Parse a program.

    Args:
        text: the source, as the language's documentation has it.
        given: names that get a value from outside; a constant's name among them (``e``) is a variable throughout.
        any_exponent: whether an exponent may have variables in it. Such a power has no local derivative by its
            exponent, so that a program with one is only to be evaluated.

    Returns:
        The program. It depends on no point and on no convention.

    Raises:
        LanguageError: with the span of what is wrong and a hint.
        TypeError: if ``text`` is no string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a program is text, not {type(text).__name__}")
    try:
        return _parse(text, given, any_exponent=any_exponent)
    except MissingProductError as error:
        from minigrad_grammar.repair import product_hint  # most texts do without

        error.hint = product_hint(text, error.at, _parse) or error.hint
        raise


def _parse(text: str, given: Collection[str] = (), *, any_exponent: bool = False) -> Program:
    """Parse a program; the hints of its errors are those that can be told on the spot."""
    ways = backend()
    parser = _idle.pop() if _idle else _new_parser()
    parser.builder.begin(text, given, any_exponent=any_exponent)
    try:
        parser.parse(fold(text))
        program = parser.builder.finish()
    except ways.unexpected_token as fault:
        from minigrad_grammar.syntax import unexpected_token  # most texts do without

        raise unexpected_token(text, fault.token, parser.brackets) from None  # type: ignore[attr-defined]
    except ways.unexpected_character as fault:
        from minigrad_grammar.syntax import unknown_character

        raise unknown_character(text, fault.pos_in_stream) from None  # type: ignore[attr-defined]
    finally:
        parser.builder.begin("")
        _idle.append(parser)
    return program
