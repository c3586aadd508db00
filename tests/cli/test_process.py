"""minigrad as a process: terminals, encodings, pipes, full disks, signals. Each with the real thing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from conftest import process

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = ("eval", "exp(x)*y", "--x", "1", "--y", "2")
COMMAND = [sys.executable, "-m", "minigrad"]


def on_terminal(*arguments: str, columns: int, env: dict[str, str] | None = None) -> str:
    """Run a command on a terminal of so many columns and return what it shows, with plain line ends."""
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")
    }
    environment |= {"TERM": "xterm", **(env or {})}
    running = subprocess.Popen([*COMMAND, *arguments], stdout=its, stderr=its, env=environment)
    os.close(its)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert running.wait() == 0
    return shown.decode().replace("\r\n", "\n")


def uncoloured(text: str) -> str:
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_terminal_of_80_columns_gets_the_table_in_colour() -> None:
    shown = on_terminal(*EXAMPLE, columns=80)
    assert "\x1b[" in shown
    lines = [line.rstrip() for line in uncoloured(shown).splitlines()]
    assert lines == [line.rstrip() for line in process(*EXAMPLE).out.splitlines()]


def test_a_terminal_of_40_columns_gets_a_block_a_node() -> None:
    shown = uncoloured(on_terminal(*EXAMPLE, columns=40))
    assert shown.split("\n\n")[2:] == [
        "node              v1\n"
        "expression        exp(x)\n"
        "data              2.71828\n"
        "grad              2\n"
        "local derivative  ∂/∂x = exp(x) =\n"
        "                  2.71828",
        "node              out\n"
        "expression        exp(x)*y\n"
        "data              5.43656\n"
        "grad              1\n"
        "local derivative  ∂/∂v1 = y = 2\n"
        "                  ∂/∂y = v1 = 2.71828\n",
    ]


@pytest.mark.parametrize("columns", [10, 20, 40, 60, 80, 200])
def test_the_width_never_changes_what_is_said(columns: int) -> None:
    arguments = ("eval", "x*1234567890.123456789 + tanh(y)", "--x", "987654321.123", "--y", "0.1", "--digits", "15")
    words = set(process(*arguments).out.split())
    assert words <= set(uncoloured(on_terminal(*arguments, columns=columns)).split())


def test_no_colour_where_there_should_be_none() -> None:
    assert "\x1b" not in on_terminal(*EXAMPLE, columns=80, env={"NO_COLOR": "1"}).replace("\x1b[1m", "").replace(
        "\x1b[0m", ""
    )
    assert "\x1b" not in on_terminal(*EXAMPLE, columns=80, env={"TERM": "dumb"})
    assert "\x1b" not in process(*EXAMPLE).out
    forced = process(*EXAMPLE, env={"FORCE_COLOR": "1", "TERM": "xterm"}).out
    assert "\x1b[" in forced
    assert [line.rstrip() for line in uncoloured(forced).splitlines()] == process(*EXAMPLE).out.splitlines()


@pytest.mark.parametrize(
    "env",
    [
        {"FORCE_COLOR": "1", "TERM": "dumb"},
        {"FORCE_COLOR": "1", "TERM": "dumb", "COLUMNS": "20"},
        {"COLUMNS": "20"},
        {"TERM": ""},
        {"TERM": "unknown"},
    ],
)
def test_in_a_pipe_a_line_is_as_long_as_it_must_be(env: dict[str, str]) -> None:
    arguments = ("eval", "x*1234567890.123456789", "--x", "987654321.123", "--digits", "15")
    assert uncoloured(process(*arguments, env=env).out) == process(*arguments).out


def test_json_on_a_terminal_is_indented() -> None:
    shown = on_terminal(*EXAMPLE, "--format", "json", columns=80)
    assert shown.startswith('{\n  "expression"')
    assert json.loads(shown) == json.loads(process(*EXAMPLE, "--format", "json").out)


@pytest.mark.parametrize("env", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}])
def test_an_encoding_without_our_signs(env: dict[str, str]) -> None:
    ran = process("eval", "α²*√(x) × π − 日", "--α", "2", "--x", "4", "--日", "1", env=env)
    assert ran.code == 0
    assert "d/dx = " in ran.out
    assert "**2*sqrt(x) * pi - " in ran.out
    ran = process("eval", "α + 日", "--α", "2", "--日", "1", "--format", "json", env=env)
    assert json.loads(ran.out)["gradient"] == {"α": 1.0, "日": 1.0}
    for format in ("csv", "tsv", "markdown", "latex"):  # noqa: A001
        assert process("eval", "α + 日", "--α", "2", "--日", "1", "--format", format, env=env).code == 0
    marked = process("eval", "x\u0302*x\u0303", "--x\u0302", "2", "--x\u0303", "3", env=env).out
    assert "x\\u0302*x\\u0303" in marked
    assert "`d/dx = 2*x = 6`" in process("eval", "x²", "--x", "3", "--format", "markdown", env=env).out
    assert "x**2*x" in process("eval", "x²×x", "--x", "3", "--format", "csv", env=env).out
    assert process("eval", "α + ", env=env).code == 2


@pytest.mark.parametrize("env", [{"LANG": "C", "LC_ALL": "C"}, {"LANG": "xx_YY.nonsense", "LC_ALL": "xx_YY.nonsense"}])
def test_a_locale_that_is_plain_or_broken(env: dict[str, str]) -> None:
    assert process(*EXAMPLE, env=env).code == 0
    assert json.loads(process("eval", "α*2", "--α", "2", "--format", "json", env=env).out)["value"] == 4


def test_2000_nodes() -> None:
    text = "\n".join(f"a{k} = {'x' if k == 0 else f'a{k - 1}'} + {k}" for k in range(2000))
    ran = process("eval", "-", "--x", "1", stdin=text.encode())
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 2 + 2000
    assert "..." not in ran.out
    assert "…" not in ran.out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        EXAMPLE,
        (*EXAMPLE, "--format", "json"),
        (*EXAMPLE, "--only", "value"),
        ("--help",),
        ("eval", "--help"),
        ("--version",),
    ],
)
@pytest.mark.parametrize("env", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_a_full_disk(arguments: tuple[str, ...], env: dict[str, str]) -> None:
    ran = process(*arguments, shell=">/dev/full", env=env)
    assert ran.code == 4
    assert ran.err == "minigrad: error: the result could not be written: no space left on device\n"


def test_a_closed_standard_output() -> None:
    ran = process(*EXAMPLE, shell=">&-")
    assert (ran.code, ran.err) == (4, "minigrad: error: the result could not be written: standard output is closed\n")


def test_a_full_standard_error_changes_no_exit_code() -> None:
    assert process("eval", "1/0", shell="2>/dev/full").code == 3
    assert process("eval", "1", shell=">/dev/full 2>/dev/full").code == 4
    assert process("eval", "1/0", shell="2>&-").code == 3


@pytest.mark.parametrize("arguments", [("--help",), ("eval", "--help"), (), ("--version",)])
def test_help_that_cannot_be_written(arguments: tuple[str, ...]) -> None:
    assert process(*arguments, shell=">&-").code == 4


def test_arguments_are_utf_8_whatever_the_locale() -> None:
    env = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    assert process("eval", "π*α", "--α", "2", "--only", "α.grad", env=env).out == "3.141592653589793\n"


def test_the_environment_asks_for_no_completion() -> None:
    assert process("eval", "1", "--only", "value", env={"_MINIGRAD_COMPLETE": "bash_source"}).out == "1\n"


def test_a_closed_standard_error_and_input() -> None:
    assert process("eval", "x +", shell="2>&-").code == 2
    ran = process("eval", "-", shell="<&-")
    assert (ran.code, ran.out) == (2, "")
    assert "standard input cannot be read" in ran.err


def test_a_closed_pipe_ends_quietly() -> None:
    text = "\n".join(f"a{number} = x + {number}" for number in range(3000))
    ran = process("eval", "-", "--x", "1", stdin=text.encode(), shell="| head -1")
    assert ran.out.startswith("node")
    assert ran.err == ""
    assert ran.code in (0, 128 + signal.SIGPIPE)


def test_ctrl_c() -> None:
    def as_in_a_terminal() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)

    running = subprocess.Popen(
        [*COMMAND, "eval", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=as_in_a_terminal,  # noqa: PLW1509  # one thread
    )
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, out, err) == (130, b"", b"")


def test_output_is_whole_although_the_process_leaves_in_a_hurry(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    text = "\n".join(f"a{number} = x + {number}" for number in range(20_000))
    ran = process("eval", "-", "--x", "1", "--format", "json", stdin=text.encode(), shell=f">{path}")
    assert ran.code == 0
    assert len(json.loads(path.read_text(encoding="utf-8"))["nodes"]) == 20_001


def test_atexit_functions_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = (
        "import atexit, sys, pathlib; atexit.register(pathlib.Path(sys.argv.pop()).touch);"
        "from minigrad_cli.entry import main; main()"
    )
    subprocess.run([sys.executable, "-c", code, *EXAMPLE, str(mark)], check=True, capture_output=True)
    assert mark.exists()


def loaded_by(code: str) -> set[str]:
    """Return the top-level modules that a fresh process has loaded after running ``code``."""
    code += "; import sys; print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stderr.split())


def test_start_up_loads_nothing_heavy_that_typer_itself_does_not() -> None:
    code = f"from minigrad_cli.app import run; run({[*EXAMPLE, '--only', 'value']!r})"
    assert not (loaded_by(code) - loaded_by("import typer")) & {"pydantic", "numpy", "rich"}


def test_typer_converts_where_its_private_place_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    from minigrad_cli import arguments
    from minigrad_cli.app import run

    monkeypatch.setattr(arguments, "_without_conversion", lambda params: params)
    assert run([*EXAMPLE, "--ieee", "--let", "z=1"]) == 2
    assert run([*EXAMPLE, "--ieee", "--only", "value", "--only", "grad"]) == 0
