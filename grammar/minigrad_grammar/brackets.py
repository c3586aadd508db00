"""Between lexer and parser: newlines inside brackets are spaces, and every bracket has a partner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_grammar.errors import LanguageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from minigrad_grammar.build import Token


class Brackets:
    """A stage between lexer and parser, in the form that lark asks for.

    Attributes:
        open: the brackets that are open where the parser stands, innermost last.
        previous: the last token that the parser was given, None at the beginning.
    """

    always_accept = ("NEWLINE",)

    def __init__(self) -> None:
        self.open: list[Token] = []
        self.previous: Token | None = None

    def process(self, stream: Iterable[Token]) -> Iterator[Token]:
        """Pass tokens on, one by one.

        Raises:
            LanguageError: at a closing bracket that none was open for, and at the end for one that stayed open.
        """
        self.open = []
        self.previous = None
        for token in stream:
            kind = token.type
            if kind == "LPAR":
                self.open.append(token)
            elif kind == "RPAR":
                if not self.open:
                    span = (token.start_pos, token.end_pos)
                    raise LanguageError("this bracket was never opened", hint="take it out, or open it", span=span)
                self.open.pop()
            elif kind == "NEWLINE" and self.open:
                continue
            yield token
            self.previous = token
        if self.open:
            raise self.unclosed()

    def unclosed(self) -> LanguageError:
        """Return the error of the innermost bracket that is open."""
        token = self.open[-1]
        return LanguageError(
            "this bracket is never closed", hint="close it with )", span=(token.start_pos, token.end_pos)
        )
