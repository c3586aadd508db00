"""Build hook: lark's tables for the grammar, made once when minigrad is built, so that no start has to make them."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What lark's module loads for its caches, its compressed tables and its log, none of which a parser from these tables
# ever reaches; together a twentieth of the time that minigrad takes to start.
UNREACHED = re.compile(r"^(import logging|import pickle, zlib, base64|logger[:.].*)\n", re.MULTILINE)

FOLDER = Path("grammar") / "minigrad_grammar"


def standalone(grammar: str) -> str:
    """Return the source of a module that parses the grammar without lark, and remembers the grammar."""
    from lark import Lark
    from lark.tools.standalone import gen_standalone

    text = io.StringIO()
    parser = Lark(grammar, parser="lalr", lexer="basic", start="program")
    gen_standalone(parser, out=text)  # type: ignore[no-untyped-call]
    source = UNREACHED.sub("", text.getvalue())
    return f"{source}\n\nGRAMMAR = {grammar!r}\n"


class StandaloneParser(BuildHookInterface):  # type: ignore[type-arg]
    """Writes grammar/minigrad_grammar/_standalone.py and has it packed into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        folder = Path(self.root) / FOLDER
        source = standalone((folder / "expression.lark").read_text(encoding="utf-8"))
        (folder / "_standalone.py").write_text(source, encoding="utf-8")
        build_data["artifacts"].append(str(FOLDER / "_standalone.py"))
