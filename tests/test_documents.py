"""What the documents show is what happens: every example in them is run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import minigrad
import minigrad_grammar
from minigrad.choices import CHOICES, Conventions
from minigrad.rules import FUNCTIONS
from minigrad_cli.app import COMMANDS
from minigrad_cli.flags import flag
from minigrad_grammar.checking.reasons import REASONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from _pytest.mark import ParameterSet
    from conftest import Ran

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def consoles() -> list[ParameterSet]:
    """Return each command shown in the documents, with what it is shown to print."""
    examples = []
    for path in DOCUMENTS:
        for block in re.findall(r"```console\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                lines = example.split("\n")
                more = 1
                while lines[more].startswith("> "):
                    more += 1
                command = "\n".join([lines[0], *(line[2:] for line in lines[1:more])])
                examples.append(pytest.param(command, "\n".join(lines[more:]), id=f"{path.name}: {lines[0]}"))
    return examples


@pytest.mark.parametrize(("command", "shown"), consoles())
def test_console_examples(minigrad: Callable[..., Ran], command: str, shown: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "minigrad"
    ran = minigrad(*arguments)
    assert ran.out + ran.err == shown


def test_there_are_console_examples() -> None:
    assert len(consoles()) >= 12


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_python_examples(path: Path) -> None:
    assert doctest.testfile(str(path), module_relative=False, encoding="utf-8").failed == 0


@pytest.mark.parametrize("module", [minigrad, minigrad_grammar])
def test_docstring_examples(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_in_a_commands_help(minigrad: Callable[..., Ran], command: str) -> None:
    page = minigrad(command, "--help").out
    examples = re.findall(r"^ *minigrad (.+)$", page, re.MULTILINE)
    assert len(examples) >= 3
    for example in examples:
        assert minigrad(*shlex.split(example)).code == 0


def test_every_command_convention_and_function_is_documented() -> None:
    eval_page = (ROOT / "docs" / "eval.md").read_text(encoding="utf-8")
    language = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert (ROOT / "docs" / f"{command}.md").exists()
    for choice in CHOICES:
        row = re.search(rf"^\| `{flag(choice.name)}`.*\|(.*)\|$", eval_page, re.MULTILINE)
        assert row is not None, choice.name
        default = Conventions().in_force()[choice.name]
        shown = "off" if default is False else f"{default:g}" if isinstance(default, float) else f"`{default}`"
        assert row[1].strip() == shown
    for name, rule in FUNCTIONS.items():
        if name == rule.name:
            assert f"`{name}`" in language, name


def test_every_reason_is_documented() -> None:
    page = (ROOT / "docs" / "deciding.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE)
    assert [code for row in rows for code in re.findall("`(.*?)`", row)] == [
        *(code for code, _ in REASONS),
        "only-at-point",
    ]


def test_the_script_for_teachers_grades_a_folder(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "teachers.md").read_text(encoding="utf-8")
    exercise, ada = re.findall(r"```\n(.*?)```", page, re.DOTALL)[:2]
    (script,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    assert len(script.splitlines()) <= 10
    answers = tmp_path / "answers"
    answers.mkdir()
    (tmp_path / "exercise.mg").write_text(exercise, encoding="utf-8")
    (answers / "ada.txt").write_text(ada, encoding="utf-8")
    (answers / "blaise.txt").write_text("d/da = 4\ndL/db = 3\n", encoding="utf-8")
    (answers / "carl, jr.txt").write_text("I did it in my head\n", encoding="utf-8")
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "minigrad"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m minigrad "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    path = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", "-u", "-c", script], cwd=tmp_path, env=path, check=True)
    grades = (tmp_path / "grades.csv").read_text(encoding="utf-8")
    assert grades.splitlines() == [
        "student,right,wrong,untested,unclaimed",
        '"ada",3,0,0,1',
        '"blaise",1,1,0,2',
        '"carl, jr",unreadable,,,',
    ]
    assert "no =" in (answers / "carl, jr.hints").read_text(encoding="utf-8")


def test_the_links_of_the_documents_lead_somewhere() -> None:
    for path in [*DOCUMENTS, ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"]:
        for target in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (path.parent / target).exists(), (path, target)


def test_the_changelog_has_this_version() -> None:
    assert f"## {minigrad.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
