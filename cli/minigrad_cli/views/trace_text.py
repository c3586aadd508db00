"""A backward pass step by step, as text and as Markdown; also as a worksheet and its key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from minigrad_cli.derivation import sections
from minigrad_cli.text import printable
from minigrad_cli.views.cells import footnotes, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from minigrad_cli.derivation import Derivation, Line

FILLS: dict[str, Callable[[int, str], str]] = {
    "--blank": lambda number, _: f"({number}) ____",
    "--answers": lambda number, text: f"({number}) {text}",
}
"""How the gaps of a worksheet look, and those of its key."""

_INDENT, _GAP = "  ", "    "
_LONGEST_COLUMN = 60


def text(derivation: Derivation, *, columns: int | None, ascii_only: bool) -> str:
    """Return the derivation as text.

    Args:
        derivation: with gaps or without.
        columns: the width of the terminal; None where there is no limit. A remark that does not fit beside its line
            stands below it.
        ascii_only: whether other characters are to be written in ASCII.
    """
    lines: list[str] = []
    for section in sections(derivation):
        title, why = shown(section.title, ascii_only), shown(section.why, ascii_only)
        body = [(shown(line.text, ascii_only), shown(line.remark, ascii_only)) for line in section.lines]
        lines += ["", title, *([_INDENT + why] if why else []), *_columns(body, columns)]
    notes = [shown(note, ascii_only) for note in footnotes(derivation.report)]
    return "\n".join([*lines[1:], *(["", *notes] if notes else [])]) + "\n"


def _columns(lines: Sequence[tuple[str, str]], columns: int | None) -> Iterator[str]:
    """Yield lines with their remarks, all beside them or all below."""
    widths = [cell_len(text) for text, remark in lines if remark]
    width = max((width for width in widths if width <= _LONGEST_COLUMN), default=0)
    beside = columns is None or all(
        len(_INDENT + _GAP) + max(width, cell_len(text)) + cell_len(remark) <= columns for text, remark in lines
    )
    for text, remark in lines:
        if remark and beside:
            yield _INDENT + text + " " * max(0, width - cell_len(text)) + _GAP + remark
        else:
            yield _INDENT + text
            if remark:
                yield 2 * _INDENT + remark


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
