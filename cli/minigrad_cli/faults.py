"""What can go wrong on the command line itself, and the exit code of every kind of error."""

from __future__ import annotations

from minigrad import MathError, MinigradError

OK = 0
CLAIMS_FAILED = 1
BAD_INPUT = 2
BAD_MATHEMATICS = 3
NOT_WRITTEN = 4
BROKEN = 70
INTERRUPTED = 130


class UsageError(MinigradError):
    """The command line does not say what to do, or what it names cannot be read."""


class OutputError(MinigradError):
    """The result is known, but could not be written."""


class LocatedError(Exception):
    """An error, and the text that its span is about.

    Attributes:
        error: what is wrong.
        text: a program, or the value of an option.
        prefix: what stands before that text where the user typed it ("--x "), or "".
    """

    def __init__(self, error: MinigradError, text: str, prefix: str = "") -> None:
        super().__init__(error.message)
        self.error = error
        self.text = text
        self.prefix = prefix


def exit_code(error: MinigradError) -> int:
    """Return the exit code of an error."""
    if isinstance(error, MathError):
        return BAD_MATHEMATICS
    return NOT_WRITTEN if isinstance(error, OutputError) else BAD_INPUT
