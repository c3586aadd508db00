"""Which variables the command line gives a value, and whether they are those of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from minigrad_cli.constants import constant
from minigrad_cli.faults import UsageError
from minigrad_cli.flags import let_hint, value_flag
from minigrad_grammar import PointError
from minigrad_grammar.lowering import check_known, check_names
from minigrad_grammar.names import canonical, closest, unicode_plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from minigrad import Conventions, MinigradError
    from minigrad_grammar import Program


class Binding(NamedTuple):
    """A variable's value as the user typed it: what stood before it ("--x "), and its text."""

    prefix: str
    text: str


def bindings(flags: Iterable[tuple[str, str]], lets: Iterable[str]) -> dict[str, Binding]:
    """Collect the variables that the command line gives a value.

    Args:
        flags: (name, value) of each --NAME VALUE.
        lets: the value of each --let.

    Returns:
        The binding of each name, in canonical form.

    Raises:
        UsageError: for a variable given twice, or a --let that is not NAME=VALUE.
    """
    found: dict[str, Binding] = {}
    for name, value in flags:
        _bind(found, name, f"--{name} ", value)
    for let in lets:
        name, equal, value = let.partition("=")
        if not equal or not name.strip():
            raise UsageError(f"--let {let} is not NAME=VALUE", hint=f"write --let x=1; {let_hint('--let')}")
        _bind(found, name.strip(), f"--let {name}=", value)
    return found


def _bind(found: dict[str, Binding], name: str, prefix: str, value: str) -> None:
    name = canonical(name)
    if name in found:
        raise UsageError(f"{name} is given twice: {found[name].text} and {value}", hint="give it once")
    found[name] = Binding(prefix, value)


def point(found: dict[str, Binding], conventions: Conventions) -> dict[str, float]:
    """Return the number of each variable that the command line gives.

    Raises:
        LocatedError: for a value that is not a constant expression, or not finite without --ieee.
    """
    return {name: constant(name, text, prefix, conventions) for name, (prefix, text) in found.items()}


def check_flags(
    program: Program, given: Mapping[str, Binding], options: Collection[str], *, partly: bool = False
) -> None:
    """Refuse a flag that is neither an option nor a variable, and variables without a value.

    Args:
        program: the program.
        given: the variables that the command line gives a value.
        options: the command's options, with their dashes.
        partly: whether variables may be left without a value.

    Raises:
        UsageError, PointError: with the flags to write.
    """
    try:
        (check_known if partly else check_names)(program, given)
    except PointError as error:
        if error.kind == "unknown":
            if given[error.names[0]].prefix.startswith("--let "):
                raise
            raise _unknown(program, error.names[0], options, error) from None
        if error.kind == "missing":
            raise _missing(error, options) from None
        raise


def _unknown(program: Program, name: str, options: Collection[str], error: MinigradError) -> UsageError:
    meant = closest(name, [*(option[2:] for option in options), *program.inputs])
    hint = f"did you mean --{meant}?" if meant else error.hint
    if meant and unicode_plain(meant) == unicode_plain(name):
        hint = f"its variable {meant} looks alike, but has the letter U+{_different(meant, name):04X}"
    return UsageError(f"there is no option --{name}, and {error.message}", hint=hint)


def _different(name: str, other: str) -> int:
    """Return the code point of the first character of a name that another name does not have."""
    return next((ord(character) for character in name if character not in other), ord(name[0]))


def _missing(error: PointError, options: Collection[str]) -> PointError:
    clashes = [name for name in error.names if f"--{name}" in options]
    flags = [value_flag(name, options) for name in error.names]
    hint = f"add {' '.join(flags)}"
    if clashes:
        hint += f" (--{clashes[0]} is an option of this command, so the variable {clashes[0]} takes --let)"
    glued = next((name for name in error.names if len(name) > 1 and name[0] in "πτ"), "")
    if glued:
        hint += f"; {glued} is one name, and a product would be {glued[0]}*{glued[1:]}"
    return PointError(error.message, error.kind, error.names, hint=hint)
