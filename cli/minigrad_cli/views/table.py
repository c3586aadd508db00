"""The table on a terminal or in a pipe. No number is ever cut, and the width never changes what is said."""

from __future__ import annotations

import io
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from minigrad_cli.output import is_terminal
from minigrad_cli.views.cells import HEADERS, cells, footnotes, plain

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rich.console import JustifyMethod

    from minigrad_cli.report import Report

_GAP = 2
_NODE, _DATA, _GRAD = "bold cyan", "green", "yellow"


def table(report: Report, digits: int, *, columns: int | None, ascii_only: bool) -> str:
    """Return the report as a table for people.

    Args:
        report: the evaluation.
        digits: how many significant digits numbers are rounded to.
        columns: the width of the terminal; None where there is no limit. A table that is wider becomes a block of
            lines a node.
        ascii_only: whether other characters are to be written in ASCII.
    """
    fit = plain if ascii_only else str
    rows = [
        [
            Text(fit(node), _NODE),
            Text(fit(expression)),
            Text(data, _DATA),
            Text(grad, _GRAD),
            Text("\n".join(map(fit, local))),
        ]
        for node, expression, data, grad, local in cells(report, digits)
    ]
    notes = [fit(note) for note in footnotes(report)]
    body = laid_out(HEADERS, rows, right=("data", "grad"), columns=columns)
    return body + ("\n" + "\n".join(notes) + "\n" if notes else "")


def laid_out(
    headers: Sequence[str], rows: Sequence[Sequence[Text]], *, right: Collection[str], columns: int | None
) -> str:
    """Return cells as a table, or as a block of lines a row if it is wider than ``columns``.

    ``right`` are the headers of columns of numbers.
    """
    widths = [
        max(cell_len(line) for cell in (header, *(cell.plain for cell in column)) for line in cell.split("\n"))
        for header, *column in zip(headers, *rows, strict=True)
    ]
    width = sum(widths) + _GAP * (len(widths) - 1)
    # Both width and height, or rich falls back to 80 columns on a dumb terminal with FORCE_COLOR.
    page = _Page()
    console = Console(file=page, width=width, height=len(rows) + 1)
    if columns is None or width <= columns:
        console.print(_as_table(headers, rows, right))
    else:
        console.print(_as_blocks(headers, rows, columns), soft_wrap=True)
    return "".join(line.rstrip() + "\n" for line in page.getvalue().rstrip("\n").split("\n"))


def _as_table(headers: Sequence[str], rows: Sequence[Sequence[Text]], right: Collection[str]) -> Table:
    grid = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), collapse_padding=True)
    for header in headers:
        justify: JustifyMethod = "right" if header in right else "left"
        grid.add_column(Text(header), justify=justify, no_wrap=True)
    for row in rows:
        grid.add_row(*row)
    return grid


def _as_blocks(headers: Sequence[str], rows: Sequence[Sequence[Text]], columns: int) -> Text:
    """A label and a cell a line, and an empty line between rows. Long cells are broken at spaces, and only there."""
    margin = max(map(cell_len, headers)) + _GAP
    blocks = Text()
    for number, row in enumerate(rows):
        blocks.append("\n" if number else "")
        for header, cell in zip(headers, row, strict=True):
            label = header
            for line in cell.plain.split("\n") if cell.plain else []:
                for piece in wrap(line, max(1, columns - margin), break_long_words=False, break_on_hyphens=False):
                    blocks.append(label.ljust(margin), "bold").append(piece, cell.style).append("\n")
                    label = ""
    blocks.rstrip()
    return blocks


class _Page(io.StringIO):
    """What rich prints to: text in memory, coloured as standard output would be."""

    def isatty(self) -> bool:
        return is_terminal()
