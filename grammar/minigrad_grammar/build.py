"""Text becomes a Program here: the parser calls one method of Builder for each rule of the grammar it completes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from minigrad.rules import FUNCTIONS, RULES, Rule
from minigrad_grammar.assembly import Assembly
from minigrad_grammar.errors import LanguageError
from minigrad_grammar.fold import LOWERED, fold, lower_first, one_line
from minigrad_grammar.names import (
    CONSTANTS,
    LONGEST_NAME,
    canonical,
    closest,
    function_hint,
    unfit_name,
)
from minigrad_grammar.program import CONSTANT, INPUT, Kind, substitute

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Protocol

    from minigrad_grammar.program import Program

    class Token(Protocol):
        """What both parsers' tokens have: they are strings that know where they stood."""

        type: str
        start_pos: int
        end_pos: int

        def __str__(self) -> str: ...


class Ref(NamedTuple):
    """A use of an instruction in the text, brackets around it included."""

    at: int
    start: int
    end: int


LONGEST_LITERAL = 1000
"""A number in the text has at most this many characters."""

# What other languages call by a name that is none here: its operands, and how to write it.
_ELSEWHERE = {
    "pow": ("an", "a**n"),
    "power": ("an", "a**n"),
    "square": ("a", "a**2"),
    "exp2": ("a", "exp(a*log(2))"),
    "fabs": ("a", "abs(a)"),
    "lg": ("a", "log10(a)"),
    "sec": ("a", "1/cos(a)"),
    "csc": ("a", "1/sin(a)"),
    "cosec": ("a", "1/sin(a)"),
    "cot": ("a", "1/tan(a)"),
    "sign": ("a", "a/abs(a)"),
    "sgn": ("a", "a/abs(a)"),
    "hypot": ("ab", "sqrt(a**2 + b**2)"),
    "logistic": ("a", "sigmoid(a)"),
    "silu": ("a", "a*sigmoid(a)"),
    "swish": ("a", "a*sigmoid(a)"),
    "gelu": ("a", "0.5*a*(1 + erf(a/sqrt(2)))"),
    "atan2": ("ab", "atan(a/b)"),
}

_VARIABLE_EXPONENT = "an exponent is a constant, and this one has a variable in it"

_FIRST_NAMES = sorted(name for name, rule in FUNCTIONS.items() if rule.name == name)


class Builder(Assembly):
    """Collects the instructions of one program. The methods named after rules of the grammar take their children."""

    def begin(self, text: str, given: Collection[str] = (), *, any_exponent: bool = False) -> None:
        """Start a new program.

        Args:
            text: its source.
            given: names that have a value from outside, and so are variables even where they are constants' names.
            any_exponent: whether an exponent may have variables in it.
        """
        self.clear(text)
        self.any_exponent = any_exponent
        self.given = {canonical(name) for name in given}
        self.scope: dict[str, int] = {}
        self.bound: set[str] = set()
        self.constants_used: dict[str, Ref] = {}
        self.names: dict[int, list[str]] = {}
        self.inputs: dict[str, int] = {}
        self.defaults: dict[str, int] = {}
        self.last: Ref | None = None
        self.last_is_shown = False

    def finish(self) -> Program:
        """Return the program, once the parser is through.

        Raises:
            LanguageError: if there was no statement.
        """
        if self.last is None:
            raise LanguageError("there is no expression", hint='write one, such as "exp(x)*y"', span=(0, 0))
        return self.assembled(names=self.names, inputs=self.inputs, defaults=self.defaults, output=self.last.at)

    # Statements

    def bind(self, children: list[Any]) -> None:
        token, _, ref = children
        self._next_statement(ref, shown=False)
        name = self._name_of(token)
        span = (token.start_pos, token.end_pos)
        if name in FUNCTIONS:
            raise LanguageError(f"{name} is a function, and cannot be bound", hint="choose another name", span=span)
        if name in self.bound:
            raise LanguageError(f"{name} is bound twice", hint="choose another name for one of them", span=span)
        if name in self.scope or name in self.constants_used:
            raise LanguageError(
                f"{name} is used before it is bound",
                hint="bind it before its first use, or choose another name",
                span=span,
            )
        self.bound.add(name)
        if self.live[ref.at]:
            self.scope[name] = ref.at
            self.names.setdefault(ref.at, []).append(name)
        else:
            self.defaults[name] = ref.at
            self.last = self._input(name, *span)

    def show(self, children: list[Any]) -> None:
        self._next_statement(children[0], shown=True)

    def _next_statement(self, ref: Ref, *, shown: bool) -> None:
        if self.last_is_shown and self.last is not None:
            raise LanguageError(
                "this statement does nothing: it names no node, and is not the last",
                hint="give it a name (name = ...) or take it out",
                span=(self.last.start, self.last.end),
            )
        self.last = ref
        self.last_is_shown = shown

    # Operators

    def add(self, children: list[Any]) -> Ref:
        return self._binary(RULES["add"], children)

    def sub(self, children: list[Any]) -> Ref:
        return self._binary(RULES["sub"], children)

    def mul(self, children: list[Any]) -> Ref:
        return self._binary(RULES["mul"], children)

    def div(self, children: list[Any]) -> Ref:
        return self._binary(RULES["div"], children)

    def neg(self, children: list[Any]) -> Ref:
        sign, operand = children
        return self._emit(RULES["neg"], (operand,), sign.start_pos, operand.end)

    def pos(self, children: list[Any]) -> Ref:
        sign, operand = children
        return Ref(operand.at, sign.start_pos, operand.end)

    def pow(self, children: list[Any]) -> Ref:
        base, _, exponent = children
        return self._power(base, exponent)

    def superscript(self, children: list[Any]) -> Ref:
        base, token = children
        return self._power(base, self._superscript(token))

    def superscript_tower(self, children: list[Any]) -> Ref:
        base, token, _, top = children
        if self.live[top.at] and not self.any_exponent:
            power = Ref(base.at, base.start, token.end_pos)
            written = one_line(self.text[power.start : power.end])
            hint = f"for ({written})**{self._text(top)} write exp({self._atom(top)}*log({written}))"
            raise LanguageError(_VARIABLE_EXPONENT, hint=hint, span=(top.start, top.end))
        return self._power(base, self._power(self._superscript(token), top))

    # Atoms

    def number(self, children: list[Any]) -> Ref:
        token = children[0]
        return self._number(str(token), token.start_pos, token.end_pos)

    def name(self, children: list[Any]) -> Ref:
        token = children[0]
        name = self._name_of(token)
        start, end = token.start_pos, token.end_pos
        index = self.scope.get(name)
        if index is not None:
            return Ref(index, start, end)
        if name in CONSTANTS and name not in self.given:
            ref = self._literal(CONSTANTS[name], start, end)
            self.constants_used.setdefault(name, ref)
            return ref
        if name in FUNCTIONS:
            hint = function_hint(name, self.text[end:])
            raise LanguageError(f"{name} is a function", hint=hint, span=(start, end))
        return self._input(name, start, end)

    def group(self, children: list[Any]) -> Ref:
        left, inner, right = children
        return Ref(inner.at, left.start_pos, right.end_pos)

    def arguments(self, children: list[Any]) -> list[Ref]:
        return [child for child in children if isinstance(child, Ref)]

    def call(self, children: list[Any]) -> Ref:
        token, left, arguments, right = children
        name = self._name_of(token)
        start, end = token.start_pos, right.end_pos
        rule = FUNCTIONS.get(name)
        if rule is None:
            raise self._not_a_function(name, arguments, (token.start_pos, token.end_pos), left.start_pos, end)
        if not rule.fits(len(arguments)):
            raise self._wrong_number(name, rule, arguments, (start, end))
        return self._emit(rule, arguments, start, end)

    # Instructions

    def _emit(self, rule: Rule, refs: Collection[Ref], start: int, end: int) -> Ref:
        """Append an operation and return its use."""
        live = self.live
        operands = tuple([ref.at for ref in refs])
        wanted = tuple([place for place, index in enumerate(operands) if live[index]])
        return Ref(self.append(Kind(rule, wanted), operands, start, end), start, end)

    def _binary(self, rule: Rule, children: list[Any]) -> Ref:
        left, _, right = children
        return self._emit(rule, (left, right), left.start, right.end)

    def _number(self, text: str, start: int, end: int) -> Ref:
        """Append a number of the text; refuse one that a double cannot hold."""
        span = (start, end)
        if len(text) > LONGEST_LITERAL:
            hint = f"a number has at most {LONGEST_LITERAL} characters; a double has 17 digits"
            raise LanguageError("this number is too long", hint=hint, span=span)
        number = float(text)
        if math.isinf(number):
            raise LanguageError("this number is too large for a double", hint="the largest is about 1.8e308", span=span)
        if number == 0.0 and any(digit in "123456789" for digit in text.lower().partition("e")[0]):
            hint = "the smallest is about 4.9e-324; write 0 for 0"
            raise LanguageError("this number is too small for a double", hint=hint, span=span)
        return self._literal(number, start, end)

    def _literal(self, number: float, start: int, end: int) -> Ref:
        return Ref(self.append_number(number, start, end), start, end)

    def _input(self, name: str, start: int, end: int) -> Ref:
        ref = Ref(self.append(Kind(INPUT, ()), (), start, end), start, end)
        self.scope[name] = self.inputs[name] = ref.at
        self.names[ref.at] = [name]
        return ref

    def _superscript(self, token: Token) -> Ref:
        return self._number(str(token).translate(LOWERED), token.start_pos, token.end_pos)

    def _power(self, base: Ref, exponent: Ref) -> Ref:
        if self.live[exponent.at] and not self.any_exponent:
            raise self._variable_exponent(base, exponent)
        return self._emit(RULES["pow"], (base, exponent), base.start, exponent.end)

    # Messages

    def _name_of(self, token: Token) -> str:
        """Return the name that a token stands for, in canonical form; refuse what no name may have."""
        span = (token.start_pos, token.end_pos)
        text = self.text[slice(*span)]
        if len(text) > LONGEST_NAME:
            hint = f"a name has at most {LONGEST_NAME} characters"
            raise LanguageError("this name is too long", hint=hint, span=span)
        unfit = unfit_name(text, token.start_pos)
        if unfit is not None:
            raise unfit
        return canonical(text)

    def _text(self, ref: Ref) -> str:
        return lower_first(one_line(self.text[ref.start : ref.end]))

    def _is_bracketed(self, ref: Ref) -> bool:
        return ref.start < self.starts[ref.at] and fold(self.text[ref.start]) == "("

    def _atom(self, ref: Ref) -> str:
        """Return the text of a use, in brackets unless it already reads as one thing."""
        text = self._text(ref)
        whole = self._is_bracketed(ref) or not (self.rule(ref.at).symbol and ref.at not in self.names)
        return text if whole and text[:1] not in ("+", "-") else f"({text})"

    def _variable_exponent(self, base: Ref, exponent: Ref) -> LanguageError:
        span = (exponent.start, exponent.end)
        name = self.names.get(exponent.at, [""])[0]
        if name in self.defaults:
            number = self.defaults[name]
            text = one_line(self.text[self.starts[number] : self.ends[number]])
            simple = self.rule(number) is CONSTANT
            hint = f"write the number: {self._atom(base)}**{text if simple else f'({text})'}"
        elif self._text(base) == "e" and not self.live[base.at]:
            text = self._text(exponent)
            hint = f"write exp{text}" if self._is_bracketed(exponent) else f"write exp({text})"
        elif self._has_no_logarithm(base):
            hint = "a number of 0 or less has no real powers but constant ones"
        else:
            logarithm = f"log{self._text(base)}" if self._is_bracketed(base) else f"log({self._text(base)})"
            hint = f"write exp({self._atom(exponent)}*{logarithm})"
            if not self.live[base.at] and base.at not in self.literals:
                hint += f", if {self._text(base)} is above 0"
            if name in self.inputs and self.live[base.at]:
                hint += f", or a number in place of {name}"
        return LanguageError(_VARIABLE_EXPONENT, hint=hint, span=span)

    def _has_no_logarithm(self, ref: Ref) -> bool:
        """Whether a base is seen to be 0 or negative."""
        constant = not self.live[ref.at]
        return self.literals.get(ref.at) == 0.0 or (constant and self.rule(ref.at) is RULES["neg"])

    def _not_a_function(
        self, name: str, arguments: list[Ref], span: tuple[int, int], bracket: int, end: int
    ) -> LanguageError:
        product = f"{name}*{one_line(self.text[bracket:end])}"
        if len(arguments) == 1 and (name in self.scope or name in CONSTANTS or name in self.given):
            return LanguageError(f"{name} is not a function; a product needs its *", hint=f"write {product}", span=span)
        meant = closest(name, FUNCTIONS)
        if name in _ELSEWHERE and len(arguments) == len(_ELSEWHERE[name][0]):
            letters, formula = _ELSEWHERE[name]
            if letters == "an" and self.live[arguments[1].at]:
                letters, formula = "ab", "exp(b*log(a))"
            hint = f"write {substitute(formula, dict(zip(letters, map(self._atom, arguments), strict=True)))}"
        elif len(name) <= 2 and len(arguments) == 1 and not meant:
            hint = f"for a product write {product}"
        else:
            hint = f"did you mean {meant}?" if meant else f"the functions are {', '.join(_FIRST_NAMES)}"
        return LanguageError(f"there is no function {name}", hint=hint, span=span)

    def _wrong_number(self, name: str, rule: Rule, arguments: list[Ref], span: tuple[int, int]) -> LanguageError:
        hint = ""
        if len(arguments) == 2:
            first, second = arguments
            a, b = self._text(first), self._text(second)
            if a.isdigit() and b.isdigit() and self.text[first.end : second.start] == ",":
                hint = f"a decimal point is a point: {name}({a}.{b})"
            elif rule.name == "log":
                hint = f"for another base write log({a})/log({b}), log2 or log10"
        return LanguageError(f"{name} takes {rule.takes}, not {len(arguments)}", hint=hint, span=span)
