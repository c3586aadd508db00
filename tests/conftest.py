"""What the tests share: the command line run in this process or in one of its own, and deterministic hypothesis."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import settings

from minigrad_cli.app import run

if TYPE_CHECKING:
    from collections.abc import Callable

settings.register_profile("default", deadline=None, derandomize=True, max_examples=200)
settings.register_profile("long", deadline=None, max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def minigrad(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run a command line in this process, as in ``minigrad("eval", "x*2", "--x", "1", stdin="...")``."""

    def command(*arguments: str, stdin: str | bytes = "") -> Ran:
        content = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        capsys.readouterr()
        code = run(list(arguments))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return command


def process(*arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None, shell: str = "") -> Ran:
    """Run a command line as a process of its own, in a pipe.

    Args:
        arguments: what follows ``minigrad``.
        stdin: its standard input.
        env: what to set in its environment, beside this process's own without what changes a terminal.
        shell: redirections and pipes to put behind the command.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _TERMINAL} | (env or {})
    command: list[str] = [sys.executable, "-m", "minigrad", *arguments]
    if shell:
        # The command's own exit code, whatever it is piped to.
        command = ["bash", "-c", f'"$@" {shell}; exit ${{PIPESTATUS[0]}}', "bash", *command]
    ran = subprocess.run(command, input=stdin, capture_output=True, env=environment, check=False)
    return Ran(ran.returncode, ran.stdout.decode("utf-8", "replace"), ran.stderr.decode("utf-8", "replace"))


_TERMINAL = {"NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "LINES", "PYTHONIOENCODING", "TTY_COMPATIBLE"}
