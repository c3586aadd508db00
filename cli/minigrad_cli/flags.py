"""How flags are written, in messages and on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


def flag(name: str) -> str:
    """Return the flag of a convention: --relu-at-zero."""
    return "--" + name.replace("_", "-")


def value_flag(name: str, options: Collection[str] = ()) -> str:
    """Return how to give a variable its number; --let for one that is named like one of a command's options."""
    return f"--let {name}=NUMBER" if f"--{name}" in options else f"--{name} NUMBER"


def let_hint(option: str) -> str:
    """Return what to write for a variable that is named like an option; "" if no variable could be."""
    name = option.removeprefix("--")
    return f"a variable named {name} takes --let {name}=NUMBER" if name.isidentifier() else ""
