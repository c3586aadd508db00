"""The house keeps its floors: imports run downwards only, and each folder imports what it may."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = {
    "minigrad": ("minigrad", set()),
    "minigrad_grammar": ("grammar/minigrad_grammar", {"minigrad"}),
    "minigrad_cli": ("cli/minigrad_cli", {"minigrad", "minigrad_grammar"}),
}
LIBRARIES = {"minigrad": set(), "minigrad_grammar": {"lark", "mpmath"}, "minigrad_cli": {"typer", "rich"}}
GENERATED = "_standalone.py"


def imports(path: Path) -> set[str]:
    """Return the top-level packages that a file imports anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(str(node.module).split(".")[0])
    return found


@pytest.mark.parametrize("package", FLOORS)
def test_imports_run_downwards(package: str) -> None:
    folder, below = FLOORS[package]
    for path in (ROOT / folder).rglob("*.py"):
        if path.name == GENERATED:
            continue
        ours = imports(path) & set(FLOORS) - {package}
        if path.relative_to(ROOT) == Path("minigrad/__main__.py"):
            assert ours == {"minigrad_cli"}, "the one door back up"
        else:
            assert ours <= below, path


@pytest.mark.parametrize("package", FLOORS)
def test_each_floor_knows_its_libraries(package: str) -> None:
    import sys

    folder, _ = FLOORS[package]
    for path in (ROOT / folder).rglob("*.py"):
        if path.name != GENERATED:
            theirs = imports(path) - set(sys.stdlib_module_names) - set(FLOORS)
            assert theirs <= LIBRARIES[package], path


def test_nothing_else_is_at_the_top() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert folders == {"minigrad"}
