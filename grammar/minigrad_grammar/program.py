"""Program: a flat list of instructions in evaluation order (a Wengert list), the one form between text and numbers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from minigrad.rules import RULES, Rule, own
from minigrad_grammar.fold import fold, lower_first, one_line

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

INPUT = own(Rule("input", (), "", (), "", ()))
"""The operation of a variable."""

CONSTANT = own(Rule("constant", (), "", (), "", ()))
"""The operation of a number in the text."""

LONGEST_EXPRESSION = 200
"""A node's own text beyond this many characters is written over its operands' names instead."""


class Kind(NamedTuple):
    """What many instructions share: the rule, and the places of the operands that depend on a variable."""

    rule: Rule
    wanted: tuple[int, ...]


@dataclass(eq=False, repr=False)
class Program:
    """A parsed program. It holds no number of a point, and is the same for one point and for a million.

    An instruction is an index into the columns. Operands come before what uses them: the order is topological.

    Attributes:
        text: the source.
        kinds: the different kinds of instruction.
        kind_of: for each instruction, an index into ``kinds``.
        operands: for each instruction, the indices of its operands.
        starts, ends: for each instruction, the span of its text, without brackets around it.
        live: for each instruction, 1 if it depends on a variable and so has a gradient, else 0.
        literals: the numbers of the constant instructions.
        names: the names of each named instruction, the first of which is the node's own.
        inputs: the variables, by name, in order of appearance.
        defaults: for a variable bound to a constant expression, the instruction that computes it.
        output: the instruction whose gradient is wanted.
        spelled: the instructions of a tanh that is spelled with exp, which no text of the user's stands for; for each,
            the operand of that tanh (for a number, itself).
    """

    text: str
    kinds: list[Kind]
    kind_of: list[int]
    operands: list[tuple[int, ...]]
    starts: array[int]
    ends: array[int]
    live: bytearray
    literals: dict[int, float]
    names: dict[int, list[str]]
    inputs: dict[str, int]
    defaults: dict[str, int]
    output: int
    spelled: dict[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.kind_of)

    @cached_property
    def default_of(self) -> dict[int, int]:
        """For the instruction of a variable with a default, the instruction that computes it."""
        return {self.inputs[name]: index for name, index in self.defaults.items()}

    def rule(self, index: int) -> Rule:
        """Return the rule of an instruction; INPUT or CONSTANT for the leaves."""
        return self.kinds[self.kind_of[index]].rule

    def wanted(self, index: int) -> tuple[int, ...]:
        """Return the places of the operands that an instruction has local derivatives by."""
        return self.kinds[self.kind_of[index]].wanted

    @cached_property
    def nodes(self) -> list[int]:
        """The instructions that have a row in a table: the variables, then what depends on them in evaluation order.

        An output that depends on no variable has a row too.
        """
        variables = list(self.inputs.values())
        inputs = set(variables)
        operations = [index for index in range(len(self)) if self.live[index] and index not in inputs]
        return variables + operations + ([] if self.live[self.output] else [self.output])

    @cached_property
    def labels(self) -> dict[int, str]:
        """The name of every node: its own, or v1, v2 ... in order, or ``out`` for the output; names in use skipped."""
        labels = {index: names[0] for index, names in self.names.items()}
        taken = {name for names in self.names.values() for name in names}
        number = 0
        for index in self.nodes:
            if index in labels:
                continue
            if index == self.output:
                labels[index] = _free("out", taken)
                continue
            number += 1
            while f"v{number}" in taken:
                number += 1
            labels[index] = f"v{number}"
        return labels

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Second names: {second name: the node's own}."""
        return {name: names[0] for names in self.names.values() for name in names[1:]}

    def source(self, index: int) -> str:
        """Return the text of an instruction on one line, without comments."""
        # A tower of superscripts begins with one (the exponent of x²**3).
        return lower_first(one_line(self.text[self.starts[index] : self.ends[index]]))

    def expression(self, index: int, data: Sequence[float] = ()) -> str:
        """Return the expression of a node: its text, or if that is too long or there is none, over operands' names.

        Args:
            index: a node.
            data: the number of every instruction, to stand for constants whose text is too long.
        """
        if self.rule(index) is INPUT:
            return self.labels[index]
        rule = self.rule(index)
        short = self.ends[index] - self.starts[index] <= LONGEST_EXPRESSION
        if rule is CONSTANT or (short and index not in self.spelled):
            return self.source(index)
        operands = [self.operand_text(operand, data) for operand in self.operands[index]]
        if rule.variadic:
            return f"{rule.name}({', '.join(operands)})"
        return substitute(rule.formula, dict(zip(rule.operands, operands, strict=True)))

    def operand_text(self, index: int, data: Sequence[float] = ()) -> str:
        """Return how an operand stands in a formula: a node by its name, a constant by its text or in brackets."""
        if index in self.labels:
            return self.labels[index]
        rule = self.rule(index)
        if rule is CONSTANT:
            return self.constant_text(index)
        if data and self.ends[index] - self.starts[index] > LONGEST_EXPRESSION:
            return repr(data[index])
        return f"({self.source(index)})" if rule.symbol else self.source(index)

    def constant_text(self, index: int) -> str:
        """Return a number or a named constant as it is written on the line, a superscript too."""
        if index in self.spelled:
            return f"{self.literals[index]:g}"
        return self.source(index)

    def literal_text(self, index: int) -> str:
        """Return a constant for arithmetic: digits without underscores, or the name of a constant."""
        return fold(self.constant_text(index)).lstrip("+").replace("_", "").lower()

    def slope_texts(self, index: int, data: Sequence[float] = ()) -> list[str]:
        """Return the formulas of an operation's local derivatives over the names of its operands, in order.

        Arguments as for ``expression``.
        """
        rule, operands, wanted = self.rule(index), self.operands[index], self.wanted(index)
        if rule.variadic:
            return [substitute(rule.slopes[0], {"a": self.operand_text(operands[place])}) for place in wanted]
        texts = {} if "pi" not in self.labels.values() else {"pi": repr(math.pi)}
        texts |= {letter: self.operand_text(at, data) for letter, at in zip(rule.operands, operands, strict=True)}
        if rule is RULES["pow"]:
            return [power_slope_text(texts["a"], texts["n"]) for _ in wanted]
        # A formula that is one constant needs no brackets.
        return [
            texts[slope][1:-1] if slope in texts and texts[slope][:1] == "(" else substitute(slope, texts)
            for slope in (rule.slopes[place] for place in wanted)
        ]


def _free(name: str, taken: set[str]) -> str:
    number = 0
    free = name
    while free in taken:
        number += 1
        free = f"{name}{number}"
    return free


def substitute(formula: str, texts: dict[str, str]) -> str:
    """Return a formula of the table of rules with its letters replaced, and pi, if it is among ``texts``."""
    return re.sub(r"\b(?:[abn]|pi)\b", lambda letter: texts.get(letter[0], letter[0]), formula)


def power_slope_text(base: str, exponent: str) -> str:
    """Return the derivative of base**exponent as a person writes it: 2*x for x**2, 3*x**2 for x**3."""
    from decimal import Context, Decimal, InvalidOperation

    number = fold(exponent.strip("()")).lstrip("+")
    general = f"{exponent}*{base}**({exponent} - 1)"
    if "e" in number.lower():
        return general  # a power of ten would be written out
    try:
        lower = Context(prec=_EXACT).subtract(Decimal(number.replace("_", "")), Decimal(1))
    except InvalidOperation:
        return general
    if lower == 0:
        return "1"
    if lower == -1:
        return "0"
    return f"{number}*{base}" if lower == 1 else f"{number}*{base}**{lower}"


# More digits than a number in a text may have.
_EXACT = 2000
