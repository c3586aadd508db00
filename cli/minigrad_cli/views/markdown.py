"""The table in Markdown, for a README or an issue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_cli.views.cells import HEADERS, cells, footnotes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from minigrad_cli.report import Report


def markdown(report: Report, digits: int) -> str:
    """Return the report as a pipe table, with numbers rounded to so many significant digits."""
    rows = [
        (code(node), code(expression), data, grad, "<br>".join(map(code, local)))
        for node, expression, data, grad, local in cells(report, digits)
    ]
    notes = [escaped(note) + "  " for note in footnotes(report)]
    return pipe_table(HEADERS, rows, right=("data", "grad")) + "".join(f"{line}\n" for line in ("", *notes) if notes)


def pipe_table(headers: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()) -> str:
    """Return a table of cells that are Markdown already; ``right`` are the headers of columns of numbers."""
    rules = ["---:" if header in right else "---" for header in headers]
    return "".join(f"| {' | '.join(parts)} |\n" for parts in (headers, rules, *rows))


def code(text: str) -> str:
    """Return text that Markdown leaves as it is: the language has no backquotes and no |."""
    return f"`{text}`" if text else ""


def escaped(text: str) -> str:
    """Return a sentence that Markdown shows as it is."""
    escaped = "".join(f"\\{character}" if character in "\\`*_[]<>|" else character for character in text)
    return escaped.replace("--", "\\-\\-")
