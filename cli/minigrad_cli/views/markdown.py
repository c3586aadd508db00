"""The table in Markdown, for a README or an issue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_cli.views.cells import HEADERS, cells, footnotes

if TYPE_CHECKING:
    from minigrad_cli.report import Report


def markdown(report: Report, digits: int) -> str:
    """Return the report as a pipe table, with numbers rounded to so many significant digits."""
    lines = [_line(HEADERS), _line(("---", "---", "---:", "---:", "---"))]
    for node, expression, data, grad, local in cells(report, digits):
        lines.append(_line((_code(node), _code(expression), data, grad, "<br>".join(map(_code, local)))))
    notes = [_escaped(note) + "  " for note in footnotes(report)]
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"


def _line(parts: tuple[str, ...]) -> str:
    return "| " + " | ".join(parts) + " |"


def _code(text: str) -> str:
    """Return text that Markdown leaves as it is: the language has no backquotes and no |."""
    return f"`{text}`" if text else ""


def _escaped(text: str) -> str:
    escaped = "".join(f"\\{character}" if character in "\\`*_[]<>|" else character for character in text)
    return escaped.replace("--", "\\-\\-")
