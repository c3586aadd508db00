"""tanh spelled with exp: (exp(2a) - 1)/(exp(2a) + 1), node by node, as a rewrite of Programs."""

from __future__ import annotations

from array import array

from minigrad.rules import RULES
from minigrad_grammar.program import CONSTANT, INPUT, Kind, Program


def spelled(program: Program, tanh: str) -> Program:
    """Return a program with every tanh spelled as a convention has it.

    Args:
        program: from ``parse``.
        tanh: "native" leaves the program as it is; "exp" makes five nodes of each tanh of a variable, exp(2a) shared.
    """
    native = Kind(RULES["tanh"], (0,))
    if tanh == "native" or native not in program.kinds:
        return program
    rewrite = _Rewrite(program)
    for index in range(len(program)):
        if program.kinds[program.kind_of[index]] == native:
            rewrite.spell(index)
        else:
            rewrite.copy(index)
    return rewrite.finish()


class _Rewrite:
    """A copy of a program under way. ``moved`` has the new place of every old instruction that is through."""

    def __init__(self, program: Program) -> None:
        self.old = program
        self.moved: list[int] = []
        self.kinds: dict[Kind, int] = {}
        self.kind_of: list[int] = []
        self.operands: list[tuple[int, ...]] = []
        self.starts: array[int] = array("l")
        self.ends: array[int] = array("l")
        self.live = bytearray()
        self.literals: dict[int, float] = {}
        self.spelled: dict[int, int] = {}

    def copy(self, index: int) -> None:
        """Take an instruction over as it is."""
        old = self.old
        operands = tuple([self.moved[operand] for operand in old.operands[index]])
        place = self._append(old.kinds[old.kind_of[index]], operands, index)
        if index in old.literals:
            self.literals[place] = old.literals[index]
        self.moved.append(place)

    def spell(self, index: int) -> None:
        """Put five operations in the place of a tanh."""
        operand = self.moved[self.old.operands[index][0]]
        doubled = self._operation("mul", (1,), (self._literal(2.0, index), operand), index)
        grown = self._operation("exp", (0,), (doubled,), index)
        above = self._operation("sub", (0,), (grown, self._literal(1.0, index)), index)
        below = self._operation("add", (0,), (grown, self._literal(1.0, index)), index)
        quotient = self._operation("div", (0, 1), (above, below), index)
        for place in (doubled, grown, above, below, quotient):
            self.spelled[place] = operand
        self.moved.append(quotient)

    def finish(self) -> Program:
        """Return the new program."""
        old, moved = self.old, self.moved
        return Program(
            text=old.text,
            kinds=list(self.kinds),
            kind_of=self.kind_of,
            operands=self.operands,
            starts=self.starts,
            ends=self.ends,
            live=self.live,
            literals=self.literals,
            names={moved[index]: names for index, names in old.names.items()},
            inputs={name: moved[index] for name, index in old.inputs.items()},
            defaults={name: moved[index] for name, index in old.defaults.items()},
            output=moved[old.output],
            spelled=self.spelled,
        )

    def _operation(self, name: str, wanted: tuple[int, ...], operands: tuple[int, ...], index: int) -> int:
        return self._append(Kind(RULES[name], wanted), operands, index)

    def _literal(self, number: float, index: int) -> int:
        place = self._append(Kind(CONSTANT, ()), (), index)
        self.literals[place] = number
        self.spelled[place] = place
        return place

    def _append(self, kind: Kind, operands: tuple[int, ...], index: int) -> int:
        """Append an instruction that stands for the text of an old one."""
        self.kind_of.append(self.kinds.setdefault(kind, len(self.kinds)))
        self.operands.append(operands)
        self.starts.append(self.old.starts[index])
        self.ends.append(self.old.ends[index])
        self.live.append(bool(kind.wanted) or kind.rule is INPUT)
        return len(self.kind_of) - 1
