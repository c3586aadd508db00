"""What can be wrong with a program's text, or with the point it is evaluated at."""

from __future__ import annotations

from minigrad.errors import MinigradError


class LanguageError(MinigradError, ValueError):
    """The text is not a program. ``span`` says where, ``hint`` what to write instead."""


class MissingProductError(LanguageError):
    """Two operands stand side by side.

    Attributes:
        at: where the first one ends, and a * belongs.
    """

    def __init__(self, span: tuple[int, int], at: int) -> None:
        super().__init__("a product needs its *", hint="put a * between the two", span=span)
        self.at = at


class PointError(MinigradError, ValueError):
    """The point does not fit the program.

    Attributes:
        kind: "missing" (variables without a number), "unknown" (a name that the program does not have), "computed"
            (a name of what it computes), "repeated" (a name given twice) or "infinite" (a number that is not finite).
        names: the names at fault.
    """

    def __init__(self, message: str, kind: str, names: tuple[str, ...], *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.names = names
