"""Where a program's text comes from: an argument, a file, standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from minigrad import MinigradError
from minigrad_cli.faults import LocatedError, UsageError
from minigrad_cli.flags import let_hint

if TYPE_CHECKING:
    from minigrad_grammar import Program
    from minigrad_grammar.checking import Claim

STANDARD_INPUT = "-"


def program_text(expression: str | None, file: str | None) -> str:
    """Return the text of the program that a command is about.

    Args:
        expression: the argument; "-" for standard input.
        file: the value of --file; "-" for standard input.

    Raises:
        UsageError: if there is none, or both, or it cannot be read.
    """
    if file is not None:
        if expression is not None:
            hint = f"give one of them; {let_hint('--file')}"
            raise UsageError("there is both an expression and a --file", hint=hint)
        return read(file)
    if expression is None:
        raise UsageError(
            "there is no expression",
            hint='give one, such as "exp(x)*y"; - reads it from standard input, --file from a file',
        )
    return read(expression) if expression == STANDARD_INPUT else expression


class Line(NamedTuple):
    """A claim as it was written: its text, and where it stood if that was in a file."""

    text: str
    number: int | None = None
    file: str = ""

    def read(self, program: Program) -> Claim:
        """Read the claim.

        Raises:
            LocatedError: with the line, for what is no claim about the program.
        """
        from minigrad_grammar.checking import read_claim

        try:
            return read_claim(self.text, program)
        except MinigradError as error:
            if self.number is not None:
                error.message = f"{self.file}, line {self.number}: {error.message}"
            raise LocatedError(error, self.text) from None


def claim_lines(path: str) -> list[Line]:
    """Return the claims in a file: one a line, without empty lines and comments.

    Raises:
        UsageError: if it cannot be read.
    """
    name = "standard input" if path == STANDARD_INPUT else path
    lines = enumerate(read(path).splitlines(), start=1)
    return [Line(line, number, name) for number, line in lines if line.partition("#")[0].strip()]


def is_file(text: str) -> bool:
    """Whether an argument that should be an expression is the path of a file."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def read(path: str) -> str:
    """Return the text of a file, or of standard input for "-", without its last newlines and a byte order mark.

    Raises:
        UsageError: if it cannot be read, or is not UTF-8.
    """
    if not path:
        raise UsageError("the name of the file is empty", hint="give its path, or - for standard input")
    name = "standard input" if path == STANDARD_INPUT else path
    try:
        content = _bytes(path)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise UsageError(f"{name} cannot be read: {str(reason).lower()}", hint="check the path") from None
    try:
        return content.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as fault:
        raise UsageError(
            f"{name} is not UTF-8 text: byte {fault.start + 1} is 0x{content[fault.start]:02x}", hint="save it as UTF-8"
        ) from None


def _bytes(path: str) -> bytes:
    if path != STANDARD_INPUT:
        return Path(path).read_bytes()
    if sys.stdin is None:
        raise ValueError("it is closed")
    return sys.stdin.buffer.read()
