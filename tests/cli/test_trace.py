"""minigrad trace: the seed's page, worksheets and their keys, symbols, and every format."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from conftest import process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

    Command = Callable[..., Ran]

SEED = ("c = a*b; L = c + a", "--a", "2", "--b", "3")


def section(text: str, title: str) -> list[str]:
    """Return the lines below a heading."""
    _, _, rest = text.partition(f"\n{title}")
    return [line.strip() for line in rest.partition("\n\n")[0].split("\n")[1:]]


def test_the_seeds_page(minigrad: Command) -> None:
    # Its steps and its numbers, from the document that the project grew from.
    text = minigrad("trace", *SEED).out
    assert "c = a*b = 2 * 3 = 6" in text
    assert "∂c/∂a = b = 3, ∂c/∂b = a = 2" in text
    assert "Step 0: L.grad = 1\n" in text
    step = section(text, "Step 1: from L to its operands c, a")
    assert step[1].startswith("c.grad += L.grad * 1 = 1 * 1 = 1 ")
    assert step[2].startswith("a.grad += L.grad * 1 = 1 * 1 = 1 ")
    assert step[2].endswith("a.grad = 1, first contribution of 2")
    step = section(text, "Step 2: from c to its operands a, b")
    assert step[0] == "all that use c are done: L"
    assert step[1].startswith("a.grad += c.grad * b = 1 * 3 = 3 ")
    assert step[1].endswith("a.grad = 1 + 3 = 4, contribution 2 of 2")
    assert step[2].startswith("b.grad += c.grad * a = 1 * 2 = 2 ")
    assert section(text, "Result") == [
        "a.grad = 1 + 3 = 4    if a grows by a little, L grows 4 times that",
        "b.grad = 2            if b grows by a little, L grows 2 times that",
    ]
    assert section(text, "Check by hand")[0] == "a from 2 to 3: L from 8 to 12, by 4    as a.grad says"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2*x", "if x grows by a little, out grows 2 times that"),
        ("-3*x", "if x grows by a little, out falls 3 times that"),
        ("x + 1", "if x grows by a little, out grows as much"),
        ("-x", "if x grows by a little, out falls as much"),
        ("x*0", "if x changes by a little, out stays as it is"),
        ("y = 3*x; 5", "out does not depend on x: x.grad stays 0"),
    ],
)
def test_the_result_in_words(minigrad: Command, text: str, words: str) -> None:
    assert words in minigrad("trace", text, "--x", "1").out


def test_negative_numbers_stand_in_brackets(minigrad: Command) -> None:
    text = minigrad("trace", "c = a*b; c - a", "--a", "-2", "--b", "3").out
    assert "c = a*b = (-2) * 3 = -6" in text
    assert "a.grad += out.grad * (-1) = 1 * (-1) = -1" in text
    assert "a.grad = -1 + 3 = 2, contribution 2 of 2" in text


def test_a_node_that_a_convention_decided_is_marked(minigrad: Command) -> None:
    ran = minigrad("trace", "relu(x)", "--x", "0", "--relu-at-zero", "0.5")
    assert "∂out/∂x = 0.5 [1]" in ran.out
    assert "x.grad += out.grad * 0.5 = 1 * 0.5 = 0.5" in ran.out
    assert "[1] out: relu has a kink at 0: the derivative is a choice (--relu-at-zero 0.5;" in ran.out
    assert "a kink of out (relu): x.grad = 0.5 is a convention's (--relu-at-zero)" in ran.out
    symbolic = minigrad("trace", "relu(x)", "--x", "0", "--relu-at-zero", "0.5", "--symbolic").out
    assert "∂out/∂x = 0.5\n" in symbolic
    assert "[1] out: relu has a kink" in symbolic


def test_tanh_spelled_out_is_traced_node_by_node(minigrad: Command) -> None:
    document = json.loads(minigrad("trace", "tanh(x)", "--x", "0.5", "--tanh", "exp", "--format", "json").out)
    assert len(document["steps"]) == 5
    assert document["gradient"]["x"] == pytest.approx(0.7864477329659274, rel=1e-14)


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_the_key_is_numbered_like_the_worksheet(minigrad: Command, form: str) -> None:
    asked = ("trace", "c = a*b; relu(c) + log(a)", "--a", "2", "--b", "3", "--format", form)
    numbers = {mode: re.findall(r"\((\d+)\)", minigrad(*asked, mode).out) for mode in ("--blank", "--answers")}
    assert numbers["--blank"] == numbers["--answers"]
    gaps = list(map(int, numbers["--blank"]))
    assert len(gaps) > 20
    assert sorted(gaps) == list(range(1, len(gaps) + 1))


def test_the_worksheet_does_not_give_itself_away(minigrad: Command) -> None:
    # Numbers that appear nowhere in the question.
    blank = minigrad("trace", "c = a*b; L = c + a", "--a", "7", "--b", "13", "--blank").out
    key = minigrad("trace", "c = a*b; L = c + a", "--a", "7", "--b", "13", "--answers").out
    for number in ("91", "98", "105", "112"):
        assert f" {number}" in key
        assert f" {number}" not in blank


def test_filling_the_worksheet_in_gives_the_key(minigrad: Command) -> None:
    blank, key = (minigrad("trace", *SEED, mode).out for mode in ("--blank", "--answers"))
    answers = dict(re.findall(r"\((\d+)\) ([^\s,]+)", key))
    filled = re.sub(r"\((\d+)\) ____", lambda gap: f"({gap[1]}) {answers[gap[1]]}", blank)
    assert filled.split() == key.split()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--blank", "--answers"], "--blank and --answers ask for different things"),
        (["--blank", "--symbolic"], "--blank and --symbolic ask for different things"),
        (["--blank", "--format", "json"], "--blank is for people, and has no --format json"),
        (["--format", "csv"], "--format is text, json, markdown or latex, not csv"),
        (["--digits", "0"], "--digits is a whole number"),
    ],
)
def test_what_does_not_go_together(minigrad: Command, arguments: list[str], message: str) -> None:
    ran = minigrad("trace", *SEED, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_json_says_all_that_the_text_says(minigrad: Command) -> None:
    document = json.loads(minigrad("trace", *SEED, "--format", "json").out)
    evaluated = json.loads(minigrad("eval", *SEED, "--format", "json").out)
    assert {key: document[key] for key in evaluated} == evaluated
    first, second = document["steps"]
    assert (first["step"], first["node"], first["upstream"], first["users"]) == (1, "L", 1.0, [])
    assert second["users"] == ["L"]
    assert second["contributions"][0] == {
        "to": "a",
        "formula": "b",
        "local": 3.0,
        "product": 3.0,
        "before": 1.0,
        "total": 4.0,
        "ordinal": 2,
        "of": 2,
    }
    assert [check["verdict"] for check in document["checks"]] == ["agrees", "agrees"]
    assert document["checks"][0]["by_a_whole_1"]["change"] == 4.0


def test_infinities_that_a_flag_lets_through(minigrad: Command) -> None:
    ran = minigrad("trace", "1/x", "--x", "0", "--ieee")
    assert ran.code == 0
    assert "the gradient of out by x is not a finite number" in ran.out
    assert minigrad("trace", "1/x", "--x", "0", "--ieee", "--format", "json").code == 0
    assert minigrad("trace", "1/x", "--x", "0", "--ieee", "--format", "latex").code == 0


def test_in_symbols(minigrad: Command) -> None:
    assert minigrad("trace", "c = a*b; L = c + a", "--symbolic").out.startswith("∂L/∂a = 1 + b\n")
    document = json.loads(minigrad("trace", *SEED, "--symbolic", "--format", "json").out)
    assert document["gradient"]["a"]["formula"] == "1 + b"
    assert document["gradient"]["a"]["value"] == 4.0
    assert document["gradient"]["a"]["paths"][1] == {"nodes": ["a", "c", "L"], "formula": "b"}


def test_too_many_paths_are_not_written_out(minigrad: Command) -> None:
    text = "y0 = x + x; " + "; ".join(f"y{n} = y{n - 1} + y{n - 1}" for n in range(1, 10))
    ran = minigrad("trace", text, "--symbolic")
    assert "1 + ...\n" in ran.out
    assert "the first 24 of 1024 paths: too many" in ran.out
    document = json.loads(minigrad("trace", text, "--symbolic", "--format", "json").out)
    assert document["gradient"]["x"]["count"] == 1024


def test_a_remark_that_does_not_fit_stands_below_its_line(minigrad: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minigrad_cli.output.columns", lambda: 60)
    lines = minigrad("trace", *SEED).out.split("\n")
    assert "  a.grad += c.grad * b = 1 * 3 = 3" in lines
    assert "    a.grad = 1 + 3 = 4, contribution 2 of 2" in lines


def test_what_a_terminal_might_act_on_is_escaped(minigrad: Command) -> None:
    for form in ("text", "markdown", "json"):
        ran = minigrad("trace", "y = x*2 # \x1b[31m\u202e", "--x", "1", "--format", form)
        assert ran.code == 0
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out


def test_in_ascii_columns_are_still_columns() -> None:
    ran = process("trace", "relu(x)/√(y)", "--x", "0", "--y", "2", env={"PYTHONIOENCODING": "ascii"})
    assert ran.out.isascii()
    lines = section(ran.out, "Step 1")[1:]
    assert len({line.index("    v") for line in lines}) == 1
    assert "  y +- 0.0156: slope 0, within 0" in ran.out


def test_a_program_without_variables(minigrad: Command) -> None:
    assert minigrad("trace", "2*3").out.endswith("Result\n  out depends on no variable\n")


def test_a_long_program(minigrad: Command) -> None:
    text = "\n".join(["v0 = x", *(f"v{n} = v{n - 1}*0.999 + 0.001" for n in range(1, 2000))])
    ran = minigrad("trace", text, "--x", "0.5")
    # 0.999 to the 1999th.
    assert f"x.grad = {0.999**1999:.6g} " in ran.out
    assert ran.out.count("\nStep ") == 2 * 1999 + 1


LATEX = [
    SEED,
    (
        "α_1 = relu(x); β = α_1*exp(-y)/tanh(z-2); ln(β+1e-20)",
        "--x",
        "0",
        "--y",
        "1",
        "--z",
        "3",
        "--log-domain",
        "clamp",
    ),
    ("under_score = max(x, 2, -x, x, x, x, x, x, x, x)*αβ; under_score**-2", "--x", "2", "--αβ", "1e-9"),
    ("1/x", "--x", "0", "--ieee"),
    ("2",),
]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("mode", [[], ["--blank"], ["--answers"], ["--symbolic"]], ids=str)
def test_the_derivation_compiles(minigrad: Command, tmp_path: Path, mode: list[str]) -> None:
    bodies = [minigrad("trace", *asked, "--format", "latex", *mode).out for asked in LATEX]
    page = "\n".join([r"\documentclass{article}\usepackage{amsmath}\begin{document}", *bodies, r"\end{document}"])
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    ran = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:].decode("utf-8", "replace")
    assert (tmp_path / "page.pdf").stat().st_size > 0
