"""tanh spelled with exp: (exp(2a) - 1)/(exp(2a) + 1), node by node, as a rewrite of Programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad.rules import RULES
from minigrad_grammar.assembly import Assembly
from minigrad_grammar.program import Kind

if TYPE_CHECKING:
    from minigrad_grammar.program import Program


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


class _Rewrite(Assembly):
    """A copy of a program under way. ``moved`` has the new place of every old instruction that is through."""

    def __init__(self, program: Program) -> None:
        self.clear(program.text)
        self.old = program
        self.moved: list[int] = []
        self.spelled: dict[int, int] = {}

    def copy(self, index: int) -> None:
        """Take an instruction over as it is."""
        old = self.old
        operands = tuple([self.moved[operand] for operand in old.operands[index]])
        place = self.append(old.kinds[old.kind_of[index]], operands, old.starts[index], old.ends[index])
        if index in old.literals:
            self.literals[place] = old.literals[index]
        self.moved.append(place)

    def spell(self, index: int) -> None:
        """Put five operations in the place of a tanh."""
        span = self.old.starts[index], self.old.ends[index]
        operand = self.moved[self.old.operands[index][0]]

        def number(value: float) -> int:
            place = self.append_number(value, *span)
            self.spelled[place] = place
            return place

        def operation(name: str, wanted: tuple[int, ...], *operands: int) -> int:
            place = self.append(Kind(RULES[name], wanted), operands, *span)
            self.spelled[place] = operand
            return place

        grown = operation("exp", (0,), operation("mul", (1,), number(2.0), operand))
        above = operation("sub", (0,), grown, number(1.0))
        below = operation("add", (0,), grown, number(1.0))
        self.moved.append(operation("div", (0, 1), above, below))

    def finish(self) -> Program:
        """Return the new program."""
        old, moved = self.old, self.moved
        return self.assembled(
            names={moved[index]: names for index, names in old.names.items()},
            inputs={name: moved[index] for name, index in old.inputs.items()},
            defaults={name: moved[index] for name, index in old.defaults.items()},
            output=moved[old.output],
            spelled=self.spelled,
        )
