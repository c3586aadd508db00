"""A Program under construction: the columns that whoever makes one fills, instruction by instruction."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from minigrad_grammar.program import CONSTANT, INPUT, Kind, Program

if TYPE_CHECKING:
    from minigrad.rules import Rule


class Assembly:
    """The columns of a Program, as its attributes have them, and how to fill them."""

    def clear(self, text: str) -> None:
        """Start anew, with the source of another program."""
        self.text = text
        self.kinds: dict[Kind, int] = {}
        self.kind_of: list[int] = []
        self.operands: list[tuple[int, ...]] = []
        self.starts: array[int] = array("l")
        self.ends: array[int] = array("l")
        self.live = bytearray()
        self.literals: dict[int, float] = {}
        self.rules: list[Rule] = []

    def append(self, kind: Kind, operands: tuple[int, ...], start: int, end: int) -> int:
        """Append an instruction for the text from ``start`` to ``end``; return its index."""
        number = self.kinds.get(kind)
        if number is None:
            number = self.kinds[kind] = len(self.kinds)
            self.rules.append(kind.rule)
        self.kind_of.append(number)
        self.operands.append(operands)
        self.starts.append(start)
        self.ends.append(end)
        self.live.append(bool(kind.wanted) or kind.rule is INPUT)
        return len(self.kind_of) - 1

    def append_number(self, number: float, start: int, end: int) -> int:
        """Append a constant; return its index."""
        index = self.append(_CONSTANT, (), start, end)
        self.literals[index] = number
        return index

    def rule(self, index: int) -> Rule:
        """Return the rule of an instruction."""
        return self.rules[self.kind_of[index]]

    def assembled(
        self,
        *,
        names: dict[int, list[str]],
        inputs: dict[str, int],
        defaults: dict[str, int],
        output: int,
        spelled: dict[int, int] | None = None,
    ) -> Program:
        """Return the program of all instructions so far; the arguments are its other attributes."""
        return Program(
            text=self.text,
            kinds=list(self.kinds),
            kind_of=self.kind_of,
            operands=self.operands,
            starts=self.starts,
            ends=self.ends,
            live=self.live,
            literals=self.literals,
            names=names,
            inputs=inputs,
            defaults=defaults,
            output=output,
            spelled=spelled or {},
        )


_CONSTANT = Kind(CONSTANT, ())
