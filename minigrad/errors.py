"""One family of exceptions. Each carries what a good message needs, and formats nothing for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from minigrad.rules import Rule


BY_IEEE = (("ieee", True),)
"""The waiver of every fault that has no convention of its own."""


class MinigradError(Exception):
    """The base of every error that minigrad raises on purpose.

    Attributes:
        message: what is wrong, one sentence without a full stop.
        hint: what to do about it, or "".
        span: (start, end), the characters of the program's text that it is about; None without a text.
    """

    def __init__(self, message: str, *, hint: str = "", span: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.span = span

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[MinigradError], arguments: tuple[Any, ...], state: dict[str, Any]) -> MinigradError:
    """Return an error that was pickled or copied, whatever its constructor asks for."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(state)
    return error


class ChoiceError(MinigradError, ValueError):
    """A convention was given a value that it does not have."""


class MathError(MinigradError, ArithmeticError):
    """Mathematics gives no finite number here, and no convention in force lets another one through.

    The message is ``head`` and then the operands, by their names in the rule, their texts and their numbers:
    "log is defined for a > 0, and here a = x - 2 = -1".

    Attributes:
        kind: "domain", "pole", "overflow", "derivative" (an infinite local derivative) or
            "gradient" (a gradient that overflows).
        rule: the operation at fault; None for a gradient.
        operands: the operands' numbers.
        waivers: the (convention, value) pairs that would let the result through.
        texts: the operands' texts, where the operation is one of a program.
        node: the name that the program gave the node, or "".
    """

    def __init__(
        self,
        head: str,
        *,
        kind: str,
        rule: Rule | None = None,
        operands: Sequence[float] = (),
        waivers: Sequence[tuple[str, object]] = BY_IEEE,
        hint: str = "",
        texts: Sequence[str] = (),
        node: str = "",
        span: tuple[int, int] | None = None,
    ) -> None:
        joint = ", and here " if kind in ("domain", "pole") else " at "
        here = "" if rule is None else joint + _where(rule, operands, texts)
        super().__init__(head + here + (f", in the node {node}" if node else ""), hint=hint, span=span)
        self.head = head
        self.kind = kind
        self.rule = rule
        self.operands = tuple(operands)
        self.waivers = tuple(waivers)
        self.texts = tuple(texts)
        self.node = node

    def located(self, texts: Sequence[str], node: str, span: tuple[int, int]) -> MathError:
        """Return this error told of a program: the operands' texts, the node's name, the span of the operation."""
        return self._but(texts=texts, node=node, span=span)

    def waived_by(self, waivers: Sequence[tuple[str, object]]) -> MathError:
        """Return this error with other conventions that would let the result through."""
        return self._but(waivers=waivers)

    def _but(self, **changed: Any) -> MathError:
        names = ("kind", "rule", "operands", "waivers", "hint", "texts", "node", "span")
        return MathError(self.head, **{name: getattr(self, name) for name in names} | changed)


_MOST_OPERANDS_TOLD = 3


def _where(rule: Rule, operands: Sequence[float], texts: Sequence[str]) -> str:
    """Return "a = x - 2 = -1"."""
    parts = []
    for place, number in enumerate(operands[:_MOST_OPERANDS_TOLD]):
        name = f"operand {place + 1}" if rule.variadic else rule.operands[place]
        shown = f"{number:.6g}"
        text = texts[place] if texts else shown
        parts.append(f"{name} = {shown}" if text in (name, shown) else f"{name} = {text} = {shown}")
    return " and ".join(parts) + (" ..." if len(operands) > _MOST_OPERANDS_TOLD else "")
