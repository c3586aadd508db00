"""A backward pass step by step, as text and as Markdown; also as a worksheet and its key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_cli.derivation import sections
from minigrad_cli.text import printable
from minigrad_cli.views.cells import footnotes

if TYPE_CHECKING:
    from collections.abc import Callable

    from minigrad_cli.derivation import Derivation, Line, Section

FILLS: dict[str, Callable[[int, str], str]] = {
    "--blank": lambda number, _: f"({number}) ____",
    "--answers": lambda number, text: f"({number}) {text}",
}
"""How the gaps of a worksheet look, and those of its key."""

_INDENT, _GAP = "  ", "    "
_LONGEST_COLUMN = 60


def text(derivation: Derivation, *, columns: int | None) -> str:
    """Return the derivation as text.

    Args:
        derivation: with gaps or without.
        columns: the width of the terminal; None where there is no limit. A remark that does not fit beside its line
            stands below it.
    """
    lines: list[str] = []
    for section in sections(derivation):
        lines += ["", *_section(section, columns)]
    notes = [printable(note) for note in footnotes(derivation.report)]
    if notes:
        lines += ["", *notes]
    return "\n".join(lines[1:]) + "\n"


def _section(section: Section, columns: int | None) -> list[str]:
    from rich.cells import cell_len

    lines = [(printable(line.text), printable(line.remark)) for line in section.lines]
    width = max(
        [length for text, remark in lines if remark and (length := cell_len(text)) <= _LONGEST_COLUMN], default=0
    )
    room = len(_INDENT + _GAP) + width
    beside = columns is None or all(room + cell_len(remark) <= columns for _, remark in lines)
    body = []
    for text, remark in lines:
        if remark and beside:
            body.append(_INDENT + text + " " * max(0, width - cell_len(text)) + _GAP + remark)
        else:
            body += [_INDENT + text, *([2 * _INDENT + remark] if remark else [])]
    return [printable(section.title), *([_INDENT + printable(section.why)] if section.why else []), *body]


def markdown(derivation: Derivation) -> str:
    """Return the derivation as Markdown: a heading a step, an item a line."""
    from minigrad_cli.views.markdown import code, escaped

    parts: list[str] = []
    for section in sections(derivation):
        parts.append(f"{'###' if section.title.startswith('Step') else '##'} {escaped(printable(section.title))}\n")
        if section.why:
            parts.append(f"{escaped(printable(section.why))}\n")
        if section.lines:
            parts.append("".join(_item(line, code, escaped) for line in section.lines))
    notes = [escaped(printable(note)) + "  \n" for note in footnotes(derivation.report)]
    if notes:
        parts.append("".join(notes))
    return "\n".join(parts)


def _item(line: Line, code: Callable[[str], str], escaped: Callable[[str], str]) -> str:
    remark = f": {escaped(printable(line.remark))}" if line.remark else ""
    return f"- {code(printable(line.text))}{remark}\n"
