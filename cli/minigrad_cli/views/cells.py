"""The table's words, shared by the formats that people read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from minigrad_cli.numbers import rounded
from minigrad_cli.text import printable
from minigrad_grammar.fold import LOWERED, SUPERSCRIPT_RUN, fold_signs
from minigrad_grammar.program import LONGEST_EXPRESSION

if TYPE_CHECKING:
    from minigrad_cli.report import Local, Report, Row

_OPERANDS_SHOWN = 8

HEADERS = ("node", "expression", "data", "grad", "local derivative")

# What stands for the signs that ASCII lacks, in the same language; fold has the operators.
_PLAIN = str.maketrans({"×": "*", "∂": "d", "√": "sqrt", "∛": "cbrt", "π": "pi", "τ": "tau", "±": "+-"})


def plain(text: str) -> str:
    """Return ``text`` in ASCII: operators by their ASCII names, superscripts as powers, the rest as escapes."""
    text = re.sub(SUPERSCRIPT_RUN, lambda power: "**" + power[0].translate(LOWERED), text)
    return fold_signs(text).translate(_PLAIN).encode("ascii", "backslashreplace").decode("ascii")


def shown(text: str, ascii_only: bool) -> str:
    """Return ``text`` safe to print, and in ASCII if there is nothing else."""
    return plain(printable(text)) if ascii_only else printable(text)


def name_cell(row: Row) -> str:
    """Return a node's names: "a", or "a, b" where it has a second one."""
    return ", ".join([row.name, *row.aliases])


def local_text(local: Local, digits: int, *, decided: bool) -> str:
    """Return "∂/∂x = exp(x) = 2.71828"; the number alone where that is the formula, or a convention has decided."""
    number = rounded(local.value, digits)
    middle = "" if decided or local.formula == number else f"{local.formula} = "
    return f"∂/∂{local.wrt} = {middle}{number}"


def local_lines(row: Row, digits: int) -> list[str]:
    """Return a node's local derivatives, a line an operand, the last with the numbers of the node's notes."""
    lines = [local_text(local, digits, decided=row.decided) for local in row.local]
    if row.notes:
        marks = " ".join(f"[{number}]" for number in row.notes)
        lines[-1:] = [f"{lines[-1]} {marks}" if lines else marks]
    return lines


def footnotes(report: Report) -> list[str]:
    """Return the notes, numbered."""
    return [f"[{number}] {node}: {text}" for number, (node, text) in enumerate(report.notes, start=1)]


def _abbreviated(expression: str) -> str:
    """Return an expression for a column; of a function of a great many operands, the first ones and the last."""
    operands = expression.split(", ")
    if len(expression) <= 2 * LONGEST_EXPRESSION or len(operands) <= _OPERANDS_SHOWN:
        return expression
    return ", ".join([*operands[:_OPERANDS_SHOWN], "...", operands[-1]])


def cells(report: Report, digits: int) -> list[tuple[str, str, str, str, list[str]]]:
    """Return the text of every row's cells, safe to print: node, expression, data, grad, lines of local derivatives."""
    return [
        (
            printable(name_cell(row)),
            printable(_abbreviated(row.expression)),
            rounded(row.data, digits),
            rounded(row.grad, digits),
            [printable(line) for line in local_lines(row, digits)],
        )
        for row in report.rows
    ]
