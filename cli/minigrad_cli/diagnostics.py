"""Errors in one voice: what is wrong, where in the text, what to do."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from minigrad import MathError
from minigrad_cli.flags import flag
from minigrad_cli.output import silence
from minigrad_cli.text import printable
from minigrad_grammar.fold import fold

if TYPE_CHECKING:
    from minigrad import MinigradError

PROGRAM = "minigrad"
_INDENT = "  "
_ELLIPSIS = "..."
_NARROWEST = 20
_LONGEST_SENTENCE = 4000


def report(error: MinigradError, text: str | None = None, prefix: str = "") -> None:
    """Print an error to standard error.

    Args:
        error: what is wrong.
        text: the text that the error's span is about, if there is one.
        prefix: what stands before that text on the user's own line.
    """
    where = ""
    if text is not None and error.span is not None and "\n" in fold(text):
        where = f"line {len((text[: error.span[0]] + '.').splitlines())}: "
    lines = [f"{PROGRAM}: error: {where}{_short(error.message)}"]
    if text is not None and text.strip() and error.span is not None:
        lines += pointed(text, error.span, prefix, shutil.get_terminal_size().columns)
    lines += [f"{_INDENT}hint: {_short(hint)}" for hint in (error.hint, _waivers(error)) if hint]
    try:
        print("\n".join(lines), file=sys.stderr)
    except (OSError, AttributeError):
        # Standard error is full, or closed: the exit code is all that is left to say it with.
        silence(sys.stderr)


def _short(text: str) -> str:
    """Return a sentence, safe to print, without the middle of what the user made endless."""
    if len(text) > _LONGEST_SENTENCE:
        text = text[: _LONGEST_SENTENCE // 2] + _ELLIPSIS + text[-_LONGEST_SENTENCE // 2 :]
    return printable(text)


def _waivers(error: MinigradError) -> str:
    """Return which flags would let a fault through."""
    if not isinstance(error, MathError):
        return ""
    flags = [flag(name) + ("" if value is True else f" {value}") for name, value in error.waivers]
    if len(flags) > 1:
        return " or ".join(flags) + " choose another convention"
    return f"{flags[0]} lets it through" if flags else ""


def pointed(text: str, span: tuple[int, int], prefix: str, width: int) -> list[str]:
    """Return the line of ``text`` where a span begins and a line of carets under it.

    A line too long for ``width`` columns is shown as a window around the span. Characters that a terminal would act on
    are shown as escapes, and the carets stand right under wide characters too.
    """
    from rich.cells import cell_len

    start, end = span
    folded = fold(text)
    first = folded.rfind("\n", 0, start) + 1
    prefix = "" if first else prefix
    line = prefix + text[first : (folded + "\n").index("\n", start)]
    start, end = start - first + len(prefix), end - first + len(prefix)
    end = max(min(end, len(line)), start + 1)

    # Far-away text is dropped before anything is measured: a line may be a megabyte long. Wide characters and escapes
    # need more room than they have characters.
    room = max(width, _NARROWEST) - len(_INDENT) - 2 * len(_ELLIPSIS)
    window = _window(line, start, end, room)
    columns = sum(map(cell_len, window))
    if columns > room:
        window = _window(line, start, end, room * room // columns)
    before, under, after = window
    return [_INDENT + before + under + after, _INDENT + " " * cell_len(before) + "^" * max(1, cell_len(under))]


def _window(line: str, start: int, end: int, room: int) -> tuple[str, str, str]:
    """Return so many characters of a line around a span: what stands before it, under the carets, and after it."""
    left, right = 0, len(line)
    if len(line) > room:
        left = max(0, min(start - room // 3, len(line) - room))
        right = min(len(line), left + room)
    before, under, after = (
        printable(line[a:b].replace("\t", " "))
        for a, b in ((left, start), (start, min(end, right)), (min(end, right), right))
    )
    return (_ELLIPSIS if left else "") + before, under, after + (_ELLIPSIS if right < len(line) else "")
