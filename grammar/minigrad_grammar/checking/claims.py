"""Claims: LEFT = RIGHT, where the left side names a derivative or a node of the program, and the right what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from minigrad.errors import MinigradError
from minigrad_grammar.errors import LanguageError
from minigrad_grammar.fold import fold, fold_signs, one_line
from minigrad_grammar.names import canonical, closest
from minigrad_grammar.parser import parse

if TYPE_CHECKING:
    from minigrad_grammar.program import Program


@dataclass(frozen=True, eq=False)
class Claim:
    """A claim that was read.

    Attributes:
        text: what was written.
        program: the program that it is about.
        node: the instruction that it is about.
        by: the instruction by which its derivative is claimed; None for a claim about its data.
        right: the right side, a program of its own whose inputs are names of ``program``.
    """

    text: str
    program: Program
    node: int
    by: int | None
    right: Program

    @property
    def is_identity(self) -> bool:
        """Whether the right side names a variable, and so claims something of every point."""
        return bool(self.right.inputs)

    @cached_property
    def read_as(self) -> str:
        """How the left side was read: "∂out/∂x", or the node's name where its data is claimed."""
        labels = self.program.labels
        return labels[self.node] if self.by is None else f"∂{labels[self.node]}/∂{labels[self.by]}"

    @cached_property
    def used(self) -> dict[int, int]:
        """The instruction of the program for each input of the right side."""
        nodes = named_nodes(self.program)
        return {index: nodes[name] for name, index in self.right.inputs.items()}

    @cached_property
    def decimal(self) -> str:
        """The right side, if it is a decimal of two significant digits or more, or "".

        Zeros at the end of a whole number are not significant: 10 is no rounding of 10.4.
        """
        written = fold(one_line(self.right.text)).replace(" ", "").replace("_", "")
        match = _DECIMAL.fullmatch(written)
        if match is None:
            return ""
        digits = (match[1] + match[2]).lstrip("0")
        return written if len(digits if "." in written else digits.rstrip("0")) >= _DECIMAL_DIGITS else ""

    @cached_property
    def quantum(self) -> str:
        """The value of the last digit of that decimal, as a decimal."""
        match = _DECIMAL.fullmatch(self.decimal) if self.decimal else None
        return "" if match is None else f"1e{int(match[3] or 0) - len(match[2])}"


_DECIMAL = re.compile(r"[-+]?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?")
_DECIMAL_DIGITS = 2


def named_nodes(program: Program) -> dict[str, int]:
    """Return the instruction of every name that claims may use: the nodes' own names, v1, out, and second names."""
    nodes = {label: index for index, label in program.labels.items()}
    return nodes | {name: index for index, names in program.names.items() for name in names}


def read_claim(text: str, program: Program) -> Claim:
    """Read a claim about a program.

    Raises:
        LanguageError: with the span of what is wrong in ``text``.
    """
    # Comments become blanks, so that every place stays the same.
    text = re.sub("#[^\n]*", lambda comment: " " * len(comment[0]), text)
    folded = fold(text)
    equal = folded.find("=")
    if equal < 0:
        hint = 'write it as LEFT = RIGHT, such as "d/dx = 2*x" or "c = 6"'
        raise LanguageError("this is no claim: it has no =", hint=hint, span=(0, len(text)))
    separator = folded.find(";", equal)
    if separator >= 0:
        span = (separator, separator + 1)
        raise LanguageError("a claim is one equation", hint="give each claim on its own", span=span)
    second = folded.find("=", equal + 1)
    if second >= 0:
        hint = "write one =" if second == equal + 1 else "make two claims of it"
        raise LanguageError("a claim has one =", hint=hint, span=(second, second + 1))
    reader = _Reader(program)
    node, by = reader.left(text[:equal])
    return Claim(text, program, node, by, reader.right(text, equal + 1))


class _Reader:
    """Reads the sides of claims over the names of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.nodes = named_nodes(program)
        names = list(self.nodes)
        self.names = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
        self.example = f"d/d{next(iter(program.inputs), 'x')}"

    def left(self, text: str) -> tuple[int, int | None]:
        """Return the node that a left side names and what it is differentiated by, None for its data."""
        span = (len(text) - len(text.lstrip()), len(text.rstrip()))
        written = re.sub(r"\s", "", fold_signs(one_line(text)))
        if not written:
            hint = "write d/dx = ..., or the name of a node"
            raise LanguageError("this claim has no left side", hint=hint, span=(0, 1))
        top, slash, bottom = written.partition("/")
        if slash:
            return self._top(top, span), self._bottom(bottom, span)
        name, dot, part = written.rpartition(".")
        if dot and part in ("grad", "data"):
            node = self.node(name, span)
            return (self.program.output, node) if part == "grad" else (node, None)
        is_call = written.endswith("'") or "(" in written
        return self.node(written, span, f"write {self.example} = ... for a derivative" if is_call else ""), None

    def _top(self, part: str, span: tuple[int, int]) -> int:
        """Return the node that the top of dL/dx names; the output for d alone."""
        name = self._differentiated(part, span, "top")
        if not name:
            return self.program.output
        return self.node(name, span, f"for the derivative of the output write {self.example}")

    def _bottom(self, part: str, span: tuple[int, int]) -> int:
        """Return the node that the bottom of dL/dx names."""
        name = self._differentiated(part, span, "bottom")
        if not name:
            raise LanguageError("this derivative does not say by what", hint=f"write {self.example}", span=span)
        takes = "(" in name or ")" in name
        return self.node(name, span, f"write {self.example} = ...: the function is the program" if takes else "")

    def _differentiated(self, part: str, span: tuple[int, int], where: str) -> str:
        """Return a part of a derivative without its d and without brackets."""
        if part[:1] not in ("d", "∂"):
            raise LanguageError(
                f"the {where} of a derivative begins with d or ∂, and this is {part or 'empty'}",
                hint=f"write {self.example} = ... or dc/da = ..., with names of the program: {self.names}",
                span=span,
            )
        if re.match(r"[d∂](\^|\*\*)?[2²³]", part):
            hint = "claim the first one; of a formula for it as a program of its own, the next"
            raise LanguageError("derivatives are first derivatives here", hint=hint, span=span)
        name = part[1:]
        return name[1:-1] if name[:1] == "(" and name[-1:] == ")" else name

    def node(self, name: str, span: tuple[int, int], hint: str = "") -> int:
        """Return the node of a name; ``hint`` is what to do where there is none, if the caller knows better."""
        name = canonical(name)
        if name in self.nodes:
            return self.nodes[name]
        meant = closest(name, self.nodes)
        told = hint or (f"did you mean {meant}?" if meant else f"its names are {self.names}")
        raise LanguageError(f"the program has no node {name}", hint=told, span=span)

    def right(self, text: str, start: int) -> Program:
        """Return the right side, from ``start`` on, as a program over names of the other one."""
        try:
            if not text[start:].strip():
                raise LanguageError("this claim has no right side", hint="write what it is equal to", span=(0, 1))
            right = parse(text[start:], self.nodes, any_exponent=True)
            for name, index in right.inputs.items():
                self.node(name, (right.starts[index], right.ends[index]))
        except MinigradError as error:
            if error.span is not None:
                error.span = (error.span[0] + start, error.span[1] + start)
            raise
        return right


_MOST_NAMES = 20
