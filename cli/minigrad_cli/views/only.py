"""Bare numbers for scripts, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_cli.faults import UsageError
from minigrad_cli.numbers import bare
from minigrad_grammar.names import canonical, closest

if TYPE_CHECKING:
    from minigrad_grammar import Evaluation, Program

_PARTS = ("data", "grad")


def check_wanted(program: Program, wanted: list[str]) -> None:
    """Refuse a --only that names nothing of the program.

    Raises:
        UsageError: with the names that there are.
    """
    nodes = _nodes(program)
    for what in wanted:
        name, dot, part = what.rpartition(".")
        if what in ("value", "grad") or (dot and part in _PARTS and canonical(name) in nodes):
            continue
        if canonical(what) in nodes:
            raise UsageError(f"--only {what} lacks its part", hint=f"write --only {what}.data or --only {what}.grad")
        if "," in what:
            raise UsageError(f"--only {what} is more than one", hint="repeat --only for each")
        choices = ["value", "grad", *(f"{node}.{part}" for node in nodes for part in _PARTS)]
        meant = closest(what, choices)
        names = ", ".join(list(nodes)[:20])
        hint = (
            f"did you mean --only {meant}?" if meant else f"it is value, grad, NAME.data or NAME.grad; names: {names}"
        )
        raise UsageError(f"there is no --only {what} here", hint=hint)


def only(evaluation: Evaluation, wanted: list[str]) -> str:
    """Return what is wanted of an evaluation: "value", "grad" (a line an input), NAME.data, NAME.grad."""
    nodes = _nodes(evaluation.program)
    lines: list[str] = []
    for what in wanted:
        if what == "value":
            lines.append(bare(evaluation.value))
        elif what == "grad":
            lines += [f"{name}\t{bare(grad)}" for name, grad in evaluation.gradient.items()]
        else:
            name, _, part = what.rpartition(".")
            node = evaluation.node(nodes[canonical(name)])
            lines.append(bare(node.data if part == "data" else node.grad))
    return "".join(line + "\n" for line in lines)


def _nodes(program: Program) -> dict[str, int]:
    """Return the instruction of every name that a table shows, second names included."""
    nodes = {label: index for index, label in program.labels.items()}
    return nodes | {alias: nodes[name] for alias, name in program.aliases.items()}
