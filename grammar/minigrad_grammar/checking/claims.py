"""Claims: LEFT = RIGHT, where the left side names a derivative or a node of the program, and the right what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from minigrad.errors import MinigradError
from minigrad_grammar.errors import LanguageError
from minigrad_grammar.fold import fold, one_line
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
        """The right side, if it is a decimal of two significant digits or more, or ""."""
        written = fold(one_line(self.right.text)).replace(" ", "").replace("_", "")
        match = _DECIMAL.fullmatch(written)
        enough = match is not None and len((match[1] + match[2]).lstrip("0")) >= _DECIMAL_DIGITS
        return written if enough else ""

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
    node, by = _read_left(text[:equal], program)
    return Claim(text, program, node, by, _read_right(text, equal + 1, program))


def _read_left(left: str, program: Program) -> tuple[int, int | None]:
    """Return the node and what it is differentiated by, None for its data."""
    nodes = named_nodes(program)
    span = (len(left) - len(left.lstrip()), len(left.rstrip()))
    written = re.sub(r"\s", "", fold(one_line(left)))
    if not written:
        raise LanguageError("this claim has no left side", hint="write d/dx = ..., or the name of a node", span=(0, 1))
    above, slash, below = written.partition("/")
    if slash:
        node = _differentiated(above, program, nodes, span, what="top")
        by = _differentiated(below, program, nodes, span, what="bottom")
        return node, by
    name, dot, part = written.rpartition(".")
    if dot and part in ("grad", "data"):
        node = _named(canonical(name), nodes, program, span)
        return (program.output, node) if part == "grad" else (node, None)
    return _named(canonical(written), nodes, program, span), None


def _differentiated(part: str, program: Program, nodes: dict[str, int], span: tuple[int, int], what: str) -> int:
    """Return the node that one part of dL/dx names; the output where the top names none."""
    if part[:1] not in ("d", "∂"):
        raise LanguageError(
            f"the {what} of a derivative begins with d or ∂, and this is {part or 'empty'}",
            hint=f"write d/dx = ... or dc/da = ..., with names of the program: {_some(program)}",
            span=span,
        )
    name = part[1:]
    if name[:1] == "(" and name[-1:] == ")":
        name = name[1:-1]
    if not name and what == "top":
        return program.output
    if not name:
        raise LanguageError("this derivative does not say by what", hint=f"write d/d{_first(program)}", span=span)
    return _named(canonical(name), nodes, program, span, part if what == "top" else "")


def _named(name: str, nodes: dict[str, int], program: Program, span: tuple[int, int], top: str = "") -> int:
    """Return the node of a name; ``top`` is what stood above the line where it was one of a derivative."""
    if name in nodes:
        return nodes[name]
    meant = closest(name, nodes)
    if top:
        hint = f"for the derivative of the output write d/d{_first(program)}"
    elif meant:
        hint = f"did you mean {meant}?"
    elif name.endswith("'") or "(" in name:
        hint = f"write d/d{_first(program)} = ... for a derivative"
    else:
        hint = f"its names are {_some(program)}"
    raise LanguageError(f"the program has no node {name}", hint=hint, span=span)


def _first(program: Program) -> str:
    return next(iter(program.inputs), "x")


def _some(program: Program) -> str:
    names = list(named_nodes(program))
    return ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")


_MOST_NAMES = 20


def _read_right(text: str, start: int, program: Program) -> Program:
    """Return the right side as a program over names of ``program``."""
    nodes = named_nodes(program)
    try:
        if not text[start:].strip():
            raise LanguageError("this claim has no right side", hint="write what it is equal to", span=(0, 1))
        right = parse(text[start:], nodes, any_exponent=True)
        for name, index in right.inputs.items():
            if name not in nodes:
                meant = closest(name, nodes)
                hint = f"did you mean {meant}?" if meant else f"its names are {_some(program)}"
                span = (right.starts[index], right.ends[index])
                raise LanguageError(f"the program has no node {name}", hint=hint, span=span)
    except MinigradError as error:
        if error.span is not None:
            error.span = (error.span[0] + start, error.span[1] + start)
        raise
    return right
