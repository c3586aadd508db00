"""What can be wrong with a program's text, or with the point it is evaluated at."""

from __future__ import annotations

from minigrad.errors import MinigradError


class LanguageError(MinigradError, ValueError):
    """The text is not a program. ``span`` says where, ``hint`` what to write instead."""


class PointError(MinigradError, ValueError):
    """The point does not fit the program: a variable has no value, or a name is not a variable.

    Attributes:
        names: the names at fault.
    """

    def __init__(self, message: str, names: tuple[str, ...], *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.names = names
