"""How flags are written, in messages and on the command line."""

from __future__ import annotations


def flag(name: str) -> str:
    """Return the flag of a convention: --relu-at-zero."""
    return "--" + name.replace("_", "-")


def let_hint(option: str) -> str:
    """Return what to write for a variable that is named like an option; "" if no variable could be."""
    name = option.removeprefix("--")
    return f"a variable named {name} takes --let {name}=NUMBER" if name.isidentifier() else ""
