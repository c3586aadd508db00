"""Writing a result: whole, or an error and nothing."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from minigrad_cli.faults import OutputError

if TYPE_CHECKING:
    from typing import TextIO


def encoding() -> str:
    """Return the encoding of standard output."""
    return (sys.stdout.encoding if sys.stdout is not None else None) or "ascii"


def is_unicode() -> bool:
    """Whether standard output can take every character."""
    return encoding().lower().replace("-", "").startswith("utf")


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def columns() -> int | None:
    """Return the width of the terminal; None where there is no limit."""
    return shutil.get_terminal_size().columns if is_terminal() else None


def write(text: str) -> None:
    """Write a result to standard output, and see that it got there.

    A character that the encoding does not have is written as an escape.

    Raises:
        OutputError: if it did not all get there.
    """
    stream = sys.stdout
    if stream is None:
        raise OutputError("the result could not be written: standard output is closed")
    try:
        stream.write(text.encode(encoding(), "backslashreplace").decode(encoding()))
        stream.flush()
    except BrokenPipeError:
        silence(stream)
    except OSError as fault:
        silence(stream)
        raise OutputError(f"the result could not be written: {str(fault.strerror).lower()}") from None


def silence(stream: TextIO | None) -> None:
    """Give what is left in a stream's buffer a place to go, or Python would complain of it at exit."""
    if stream is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
