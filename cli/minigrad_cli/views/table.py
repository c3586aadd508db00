"""The table on a terminal or in a pipe. No number is ever cut, and the width never changes what is said."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from minigrad_cli.views.cells import HEADERS, cells, footnotes, plain

if TYPE_CHECKING:
    from minigrad_cli.report import Report

_GAP = 2
_STYLES = ("bold cyan", "", "green", "yellow", "")


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
        [fit(node), fit(expression), data, grad, "\n".join(map(fit, local))]
        for node, expression, data, grad, local in cells(report, digits)
    ]
    widths = [
        max(cell_len(line) for cell in column for line in cell.split("\n"))
        for column in zip(HEADERS, *rows, strict=True)
    ]
    width = sum(widths) + _GAP * (len(widths) - 1)
    if columns is None or width <= columns:
        body = _rendered(_as_table(rows), width)
    else:
        body = _rendered(_as_blocks(rows), max(width, *(cell_len(header) for header in HEADERS)) + width)
    notes = [fit(note) for note in footnotes(report)]
    return body + ("\n" + "\n".join(notes) + "\n" if notes else "")


def _as_table(rows: list[list[str]]) -> Table:
    grid = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), collapse_padding=True)
    for place, header in enumerate(HEADERS):
        justify = "right" if header in ("data", "grad") else "left"
        grid.add_column(Text(header), justify=justify, no_wrap=True, style=_STYLES[place])  # type: ignore[arg-type]
    for row in rows:
        grid.add_row(*map(Text, row))
    return grid


def _as_blocks(rows: list[list[str]]) -> Table:
    """A label and a cell a line, and an empty line between nodes."""
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(no_wrap=True, overflow="ignore", style="bold")
    grid.add_column(no_wrap=True, overflow="ignore")
    for number, row in enumerate(rows):
        if number:
            grid.add_row(Text(), Text())
        for header, style, cell in zip(HEADERS, _STYLES, row, strict=True):
            for place, line in enumerate(cell.split("\n") if cell else []):
                grid.add_row(Text("" if place else header), Text(line, style=style))
    return grid


def _rendered(grid: Table, width: int) -> str:
    """Return what rich prints, without the spaces that fill up lines."""
    page = _Page()
    # Both width and height, or rich falls back to 80 columns on a dumb terminal with FORCE_COLOR.
    Console(file=page, width=width, height=len(grid.rows) + 1).print(grid)
    return "".join(line.rstrip() + "\n" for line in page.getvalue().rstrip("\n").split("\n"))


class _Page(io.StringIO):
    """What rich prints to: text in memory, coloured as standard output would be."""

    def isatty(self) -> bool:
        return sys.stdout is not None and sys.stdout.isatty()
