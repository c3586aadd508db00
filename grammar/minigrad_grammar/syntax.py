"""What to say where the grammar does not go on: what stands there, and what to write instead."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from minigrad.rules import FUNCTIONS
from minigrad_grammar.errors import LanguageError
from minigrad_grammar.names import INVISIBLE

if TYPE_CHECKING:
    from minigrad_grammar.brackets import Brackets
    from minigrad_grammar.build import Token

_ENDS_OPERAND = {"NUMBER", "NAME", "RPAR", "SUPERSCRIPT"}
_STARTS_OPERAND = {"NUMBER", "NAME", "LPAR"}
_BINARY = {"PLUS", "MINUS", "TIMES", "DIVIDE", "POWER"}

# How much of a long line a hint repeats.
_HINT_WIDTH = 60

_CHARACTER_HINTS = {
    "%": "there is no remainder; its derivative would be 1, with jumps",
    "!": "there is no factorial and no !=",
    "|": "the absolute value is abs(x)",
    "[": "brackets are ( )",
    "]": "brackets are ( )",
    "{": "brackets are ( )",
    "}": "brackets are ( )",
    "<": "there are no comparisons; max, min, relu and abs choose between cases",
    ">": "there are no comparisons; max, min, relu and abs choose between cases",
    "≤": "there are no comparisons; max, min, relu and abs choose between cases",
    "≥": "there are no comparisons; max, min, relu and abs choose between cases",
    "'": "no quotation marks are needed",
    '"': "no quotation marks are needed",
    "@": "the product of numbers is *",
    "∞": "every number is finite",
    "\\": "LaTeX is not read; write exp(x), not \\exp(x)",
    "$": "names are letters, digits and _",
}


def unknown_character(text: str, at: int) -> LanguageError:
    """Return the error of a character that no token begins with."""
    character = text[at]
    span = (at, at + 1)
    kind = unicodedata.category(character)
    if character == "." or (character.isdigit() and not character.isascii()):
        return LanguageError(
            "this is not a number", hint="numbers are like 2, 0.5, .5, 5. and 1e-3, in the digits 0 to 9", span=span
        )
    if kind in INVISIBLE:
        name = unicodedata.name(character, "a byte that is not UTF-8" if kind == "Cs" else "a control character")
        return LanguageError(
            f"the text has an invisible character, U+{ord(character):04X} ({name.lower()})",
            hint="take it out",
            span=span,
        )
    hint = _CHARACTER_HINTS.get(character, "the operators are + - * / ** and brackets ( )")
    return LanguageError(f"{character} means nothing here", hint=hint, span=span)


def unexpected_token(text: str, token: Token, brackets: Brackets) -> LanguageError:
    """Return the error of a token where the grammar has none of its kind.

    Args:
        text: the program.
        token: the one that does not fit; of type "$END" at the end of the text.
        brackets: the stage that passed it on, which knows what came before and which brackets are open.
    """
    previous = brackets.previous
    kind = token.type
    before = previous.type if previous is not None else ""
    at_end = kind in ("$END", "SEMICOLON", "NEWLINE")
    span = (len(text), len(text)) if kind == "$END" else (token.start_pos, token.end_pos)
    if previous is not None and str(previous) in FUNCTIONS and kind in ("NAME", "NUMBER"):
        span = (previous.start_pos, token.end_pos)
        return LanguageError(f"{previous} needs brackets", hint=f"write {previous}({token})", span=span)
    if before in _ENDS_OPERAND and kind in _STARTS_OPERAND and previous is not None:
        return _juxtaposed(text, previous, token)
    if previous is not None and kind == "DIVIDE" == before and token.start_pos == previous.end_pos:
        hint = "there is no integer division; its derivative would be 0, with jumps"
        return LanguageError("// means nothing here", hint=hint, span=(previous.start_pos, token.end_pos))
    if kind == "EQUAL":
        return _misplaced_equal(text, token)
    if kind == "COMMA" and previous is not None:
        return _misplaced_comma(text, previous, token, brackets)
    if kind == "SUPERSCRIPT":
        return LanguageError("this power has no base", hint="write its base before it, as in x²", span=span)
    if at_end and brackets.open and before in _ENDS_OPERAND:
        return brackets.unclosed()
    if previous is not None and before in _BINARY | {"EQUAL", "LPAR", "COMMA"}:
        place = {"EQUAL": "after =", "LPAR": "after (", "COMMA": "after the comma"}.get(before, f"after {previous}")
        if kind == "RPAR" or at_end:
            span = (previous.start_pos, previous.end_pos)
        return LanguageError(f"an expression is missing {place}", hint="write a number, a name or (...)", span=span)
    if kind in _BINARY or kind == "RPAR":
        return LanguageError(
            f"an expression is missing before {token}", hint="write a number, a name or (...)", span=span
        )
    return LanguageError(f"{str(token)!r} does not fit here", hint="an expression is like exp(x)*y + 2", span=span)


def _with_product(text: str, at: int) -> str:
    """Return the line around ``at`` with a * put in there; a part of it, if it is long."""
    start = max(text.rfind("\n", 0, at) + 1, at - _HINT_WIDTH // 2)
    end = text.find("\n", at)
    end = min(len(text) if end < 0 else end, at + _HINT_WIDTH // 2)
    return f"{text[start:at].rstrip()}*{text[at:end].lstrip()}".strip()


def _juxtaposed(text: str, previous: Token, token: Token) -> LanguageError:
    """Two operands side by side: a product without its sign, or a number that is written otherwise here."""
    first, second = str(previous), str(token)
    span = (previous.start_pos, token.end_pos)
    touching = previous.end_pos == token.start_pos
    if touching and previous.type == "NUMBER" and first == "0" and second[:1] in "xXoObB":
        return LanguageError(
            "hexadecimal, octal and binary numbers are not supported", hint="write it in decimal", span=span
        )
    if previous.type == "NUMBER" == token.type and touching:
        return LanguageError("this is not a number", hint="a number has one decimal point", span=span)
    if previous.type == "NUMBER" == token.type:
        hint = f"write {_with_product(text, token.start_pos)}, or one number without the space"
    else:
        hint = f"write {_with_product(text, token.start_pos)}"
    return LanguageError("a product needs its *", hint=hint, span=span)


def _misplaced_equal(text: str, token: Token) -> LanguageError:
    """``=`` that binds nothing: a comparison, or a left side that is not a name."""
    start, end = token.start_pos, token.end_pos
    before = text[start - 1 : start]
    if text[end : end + 1] == "=" or before == "=":
        start = start - 1 if before == "=" else start
        hint = _CHARACTER_HINTS["<"]
        return LanguageError("== means nothing here", hint=hint, span=(start, start + 2))
    return LanguageError(
        "= binds a name at the start of a statement, and nothing else",
        hint="write name = expression, and separate statements with ;",
        span=(start, end),
    )


def _misplaced_comma(text: str, previous: Token, token: Token, brackets: Brackets) -> LanguageError:
    start, end = token.start_pos, token.end_pos
    if previous.type == "NUMBER" and text[end : end + 1].isdigit():
        after = end
        while text[after : after + 1].isdigit():
            after += 1
        number = f"{previous}.{text[end:after]}"
        return LanguageError("a comma is not a decimal point", hint=f"write {number}", span=(previous.start_pos, after))
    if previous.type in ("LPAR", "COMMA"):
        return LanguageError(
            "an expression is missing before the comma", hint="write it, or take the comma out", span=(start, end)
        )
    where = "inside plain brackets" if brackets.open else "outside a function's brackets"
    return LanguageError(f"a comma means nothing {where}", hint="separate statements with ;", span=(start, end))
