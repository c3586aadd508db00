"""What to say where the grammar does not go on: what stands there, and what to write instead."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from minigrad.rules import FUNCTIONS
from minigrad_grammar.errors import LanguageError, MissingProductError
from minigrad_grammar.fold import fold
from minigrad_grammar.names import INVISIBLE, unfit_name

if TYPE_CHECKING:
    from minigrad_grammar.brackets import Brackets
    from minigrad_grammar.build import Token

_ENDS_OPERAND = {"NUMBER", "NAME", "RPAR", "SUPERSCRIPT"}
_STARTS_OPERAND = {"NUMBER", "NAME", "LPAR"}
_BINARY = {"PLUS", "MINUS", "TIMES", "DIVIDE", "POWER"}

_BEFORE_OPERAND = _BINARY | {"EQUAL", "LPAR", "COMMA"}

_OPERAND_HINT = "write a number, a name or (...)"
_NUMBER_HINT = "numbers are like 2, 0.5, .5, 5. and 1e-3, in the digits 0 to 9"

# How far a message looks around: patterns may take time that grows faster than the text.
_NEIGHBOURHOOD = 300

_CONDITIONS = {"if", "else", "and", "or", "not"}

_BY_CASES = "max, min, relu and abs choose between cases"

_CHARACTER_HINTS = {
    **dict.fromkeys("[]{}", "brackets are ( )"),
    **dict.fromkeys("<>≤≥", f"there are no comparisons; {_BY_CASES}"),
    **dict.fromkeys("?:&", f"there are no conditions; {_BY_CASES}"),
    "%": "there is no remainder; its derivative would be 1, with jumps",
    "!": "there is no factorial and no !=",
    "|": "the absolute value is abs(x)",
    **dict.fromkeys("'\"`“”‘’«»", "no quotation marks are needed"),
    **dict.fromkeys("•∘", "a product is *"),
    "—": "a minus is -",
    "°": "angles are in radians; a degree is pi/180",
    "′": "a derivative has no sign here; minigrad computes it of any expression",
    "∑": "there are no sums over an index; write the terms out",
    "∫": "there are no integrals",
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
    if character == "." and text[at + 1 : at + 2].isalpha() and text[:at][-1:].isalpha():
        function = re.split(r"\W", text[at + 1 : at + _NEIGHBOURHOOD], maxsplit=1)[0]
        hint = f"write {function}(...), without what stands before the dot"
        return LanguageError("names have no dots", hint=hint, span=span)
    if character == "." or (character.isdigit() and not character.isascii()):
        return LanguageError("this is not a number", hint=_NUMBER_HINT, span=span)
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
    span = (len(text), len(text)) if token.type == "$END" else (token.start_pos, token.end_pos)
    if token.type == "EQUAL":
        return _misplaced_equal(text, token)
    if token.type == "SUPERSCRIPT":
        return LanguageError("this power has no base", hint="write its base before it, as in x²", span=span)
    error = None if brackets.previous is None else _unexpected_after(text, brackets.previous, token, brackets, span)
    if error is not None:
        return error
    if token.type in _BINARY or token.type == "RPAR":
        return LanguageError(f"an expression is missing before {_typed(text, token)}", hint=_OPERAND_HINT, span=span)
    return LanguageError(f"{str(token)!r} does not fit here", hint="an expression is like exp(x)*y + 2", span=span)


def _unexpected_after(
    text: str, previous: Token, token: Token, brackets: Brackets, span: tuple[int, int]
) -> LanguageError | None:
    """Return the error of a token that does not fit after the one before it, or None if that one explains nothing."""
    before, kind = previous.type, token.type
    touching = previous.end_pos == token.start_pos
    at_end = kind in ("$END", "SEMICOLON", "NEWLINE")
    if str(previous) in FUNCTIONS and kind in ("NAME", "NUMBER"):
        return _function_without_brackets(text, previous, token)
    if before in _ENDS_OPERAND and kind in _STARTS_OPERAND:
        return _juxtaposed(text, previous, token)
    if kind == "DIVIDE" == before and touching:
        hint = "there is no integer division; its derivative would be 0, with jumps"
        return LanguageError("// means nothing here", hint=hint, span=(previous.start_pos, token.end_pos))
    if kind == "COMMA":
        return _misplaced_comma(text, previous, token, brackets)
    if at_end and brackets.open and before in _ENDS_OPERAND:
        return brackets.unclosed()
    if before not in _BEFORE_OPERAND:
        return None
    place = "the comma" if before == "COMMA" else _typed(text, previous)
    if kind == "RPAR" or at_end:
        span = (previous.start_pos, previous.end_pos)
    hint = _OPERAND_HINT
    if kind == "NEWLINE":
        hint = "a statement ends with its line, unless brackets are open"
    elif kind == "TIMES" == before and touching:
        hint = "a power is **"
    return LanguageError(f"an expression is missing after {place}", hint=hint, span=span)


def _just_before(text: str, end: int) -> str:
    """Return the text that ends at a place, as much of it as a message could need."""
    return text[max(0, end - _NEIGHBOURHOOD) : end]


def _typed(text: str, token: Token) -> str:
    """Return a token as the user typed it."""
    return text[token.start_pos : token.end_pos]


def _function_without_brackets(text: str, name: Token, token: Token) -> LanguageError:
    """``exp x``. The rewrite is given where the operand ends with the token."""
    span = (name.start_pos, token.end_pos)
    after = fold(text[token.end_pos : token.end_pos + _NEIGHBOURHOOD]).lstrip(" \t")
    word = _typed(text, token)
    fit = word not in FUNCTIONS and (token.type == "NUMBER" or unfit_name(word, token.start_pos) is None)
    whole = fit and after[:1] in ("", "+", "-", ";", "\n", ")", ",", "#")
    operand = word if whole and not FUNCTIONS[str(name)].variadic else "..."
    return LanguageError(f"{name} needs brackets", hint=f"write {name}({operand})", span=span)


def _juxtaposed(text: str, previous: Token, token: Token) -> LanguageError:
    """Two operands side by side: a product without its sign, or a number or a name that is written otherwise here."""
    first, second = _typed(text, previous), _typed(text, token)
    span = (previous.start_pos, token.end_pos)
    touching = previous.end_pos == token.start_pos
    if touching and previous.type == "NUMBER":
        if first == "0" and second[:1] in "xXoObB":
            message = "hexadecimal, octal and binary numbers are not supported"
            return LanguageError(message, hint="write it in decimal", span=span)
        if token.type == "NUMBER" or second[:1] == "_" or second in ("e", "E") or second[:1].isnumeric():
            return LanguageError("this is not a number", hint=_NUMBER_HINT, span=span)
    unfit = unfit_name(second, token.start_pos) if token.type == "NAME" else None
    if unfit is not None:
        return unfit
    if {first, second} & _CONDITIONS:
        return LanguageError("there are no conditions", hint=_BY_CASES, span=span)
    if re.search(r"(?:^|\s)--\w+\s*$", _just_before(text, previous.end_pos)):
        flag = f"--{first} {second}"
        return LanguageError(f"{flag} stands inside the expression", hint="put it outside the quotes", span=span)
    return MissingProductError(span, previous.end_pos)


def _misplaced_equal(text: str, token: Token) -> LanguageError:
    """``=`` that binds nothing: a comparison, or a left side that is not a name."""
    start, end = token.start_pos, token.end_pos
    before = text[start - 1 : start]
    if text[end : end + 1] == "=" or before == "=":
        start = start - 1 if before == "=" else start
        hint = _CHARACTER_HINTS["<"]
        return LanguageError("== means nothing here", hint=hint, span=(start, start + 2))
    hint = "write name = expression, and separate statements with ;"
    if re.search(r"(?:^|[;\n])\s*\w+\s*\([\w\s,]*\)\s*$", fold(_just_before(text, start))):
        hint = "functions cannot be defined; bind the expression itself to a name"
    message = "= binds a name at the start of a statement, and nothing else"
    return LanguageError(message, hint=hint, span=(start, end))


def _misplaced_comma(text: str, previous: Token, token: Token, brackets: Brackets) -> LanguageError:
    start, end = token.start_pos, token.end_pos
    number = str(previous)
    groups = re.match(r"(?:,[0-9]+)+(?![\w.])", text[start : start + _NEIGHBOURHOOD])
    if previous.type == "NUMBER" and groups and number.isdigit():
        span = (previous.start_pos, start + groups.end())
        thousands = re.fullmatch(r"(?:,\d{3})+", groups[0])
        pieces = groups[0].count(",")
        hints = [f"write {number}.{groups[0][1:]}"] if pieces == 1 else []
        hints += [f"write {number}{groups[0].replace(',', '')}"] if thousands else []
        if pieces == 1 and thousands:
            hints[1] = hints[1].removeprefix("write ") + " if it separates thousands"
        if hints:
            return LanguageError("a comma is not a decimal point", hint=", or ".join(hints), span=span)
    if previous.type in ("LPAR", "COMMA"):
        message = "an expression is missing before the comma"
        return LanguageError(message, hint="write it, or take the comma out", span=(start, end))
    where = "inside plain brackets" if brackets.open else "outside a function's brackets"
    return LanguageError(f"a comma means nothing {where}", hint="separate statements with ;", span=(start, end))
