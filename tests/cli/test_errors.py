"""Errors: one voice, a caret under the place, a hint, the exit code; and never half an answer."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

    Command = Callable[..., Ran]


def test_the_form_of_an_error(minigrad: Command) -> None:
    ran = minigrad("eval", "exp(x) * log(x - 2)", "--x", "1")
    assert ran == (
        3,
        "",
        "minigrad: error: log is defined for a > 0, and here a = x - 2 = -1\n"
        "  exp(x) * log(x - 2)\n"
        "           ^^^^^^^^^^\n"
        "  hint: --log-domain clamp or --log-domain ieee choose another convention\n",
    )


# (arguments, exit code, words of the message)
MISTAKES: list[tuple[list[str], int, list[str]]] = [
    ([""], 2, ["there is no expression"]),
    ([], 2, ["there is no expression", "--file"]),
    (["(x"], 2, ["never closed"]),
    (["2x", "--x", "1"], 2, ["product needs its *", "2*x"]),
    (["x y"], 2, ["x*y"]),
    (["exp x"], 2, ["exp(x)"]),
    (["x**y", "--x", "1", "--y", "2"], 2, ["exp(y*log(x))"]),
    (["2**x", "--x", "1"], 2, ["exp(x*log(2))"]),
    (["n = 2; x**n", "--x", "1"], 2, ["x**2"]),
    (["x % 2"], 2, ["remainder"]),
    (["x = "], 2, ["missing after ="]),
    (["log(1, 2)"], 2, ["one operand"]),
    (["log(1,5)"], 2, ["log(1.5)"]),
    (["foo(x)"], 2, ["no function foo"]),
    (["sgmoid(x)"], 2, ["did you mean sigmoid?"]),
    (["sin"], 2, ["sin(...)"]),
    (["x*2; y", "--x", "1"], 2, ["does nothing"]),
    (["x*2", "--x", "1", "--q", "2"], 2, ["no option --q", "no variable q", "x"]),
    (["rate*2", "--raet", "1"], 2, ["did you mean --rate?"]),
    (["x*2", "--x", "1", "--formatt", "json"], 2, ["no option --formatt", "--format"]),
    (["x*2", "--x", "1", "--relu-at-zeroo", "1"], 2, ["--relu-at-zero?"]),
    (["x*2", "--x", "1", "--format", "jsn"], 2, ["table, json", "--format json?"]),
    (["x*y", "--x", "1"], 2, ["y has no value", "--y NUMBER"]),
    (["x*y"], 2, ["x, y have no value", "--x NUMBER --y NUMBER"]),
    (["x*2", "--x"], 2, ["--x has no value"]),
    (["x*y", "--x", "--y", "2"], 2, ["--x has no value"]),
    (["x*2", "--digits", "--x", "1"], 2, ["--digits has no value"]),
    (["x*2", "--x", "abc"], 2, ["abc is a variable", "  --x abc\n      ^^^"]),
    (["x*2", "--x", ""], 2, ["empty"]),
    (["x*2", "--x", "2y"], 2, ["--x 2y"]),
    (["x*2", "--x", "nan"], 2, ["not finite", "--ieee"]),
    (["x*2", "--x", "inf"], 2, ["not finite", "--ieee"]),
    (["x*2", "--x", "1e999"], 2, ["too large"]),
    (["x*2", "--x", "1/0"], 3, ["division is defined", "--ieee lets it through"]),
    (["x*2", "--x", "1/0", "--ieee", "--div-by-zero", "error"], 3, ["--div-by-zero ieee lets it through"]),
    (["x*2", "--x", "1/0", "--div-by-zero", "ieee"], 2, ["not finite", "--ieee lets it through"]),
    (["x*2", "--x", "1,5"], 2, ["1.5"]),
    (["x*2", "--x", "1", "--x", "2"], 2, ["given twice"]),
    (["x*2", "--x", "1", "--let", "x=2"], 2, ["given twice"]),
    (["µ*2", "--µ", "1", "--μ", "2"], 2, ["given twice"]),
    (["x*2", "--x", "1", "--format", "json", "--format", "csv"], 2, ["--format is given twice"]),
    (["x*2", "--x", "1", "--digits=3", "--digits", "3"], 2, ["--digits is given twice"]),
    (["x*2", "--let", "x"], 2, ["NAME=VALUE"]),
    (["x*2", "--let", "=1"], 2, ["NAME=VALUE"]),
    (["digits*2"], 2, ["--let digits=NUMBER"]),
    (["c = x*2; c + 1", "--x", "1", "--c", "5"], 2, ["computed by the program"]),
    (["x", "--x", "1", "--relu-at-zero", "2"], 2, ["a number from 0 to 1, not 2"]),
    (["x", "--x", "1", "--relu-at-zero", "half"], 2, ["--relu-at-zero half", "half is a variable"]),
    (["x", "--x", "1", "--abs-at-zero", "-2"], 2, ["from -1 to 1"]),
    (["x", "--x", "1", "--relu-at-zero", "1/0"], 2, ["--relu-at-zero is a number from 0 to 1"]),
    (["x", "--x", "1", "--relu-at-zero", "inf"], 2, ["--relu-at-zero is a number from 0 to 1"]),
    (["x", "--x", "1", "--relu-at-zero", "a = 0.5"], 2, ["a is a variable"]),
    (["x", "--x", "1", "--log-epsilon", "1e-400"], 2, ["too small", "--log-epsilon 1e-400"]),
    (["tanh(x)", "--x", "1e308", "--tanh", "exp"], 3, ["a*b overflows at a = 2 and b = x = 1e+308"]),
    (["tanh(tanh(x)*1e308)", "--x", "1", "--tanh", "exp"], 3, ["overflows"]),
    (["file*2", "--file", "3"], 2, ["--let file="]),
    (["format*2", "--format", "3"], 2, ["--let format="]),
    (["digits*2", "--digits", "x"], 2, ["--let digits="]),
    (["ties*2", "--ties", "3"], 2, ["--let ties="]),
    (["ieee*2", "--ieee", "3"], 2, ["--let ieee="]),
    (["let*2", "--let", "3"], 2, ["--let let="]),
    (["x", "--x", "1", "--no-ieee"], 2, ["did you mean --ieee?"]),
    (["x", "--version", "3"], 2, ["no variable version"]),
    (["𝑥+1", "--x", "1"], 2, ["its variable 𝑥 looks alike", "U+1D465"]),
    (["x₁+1", "--x₁", "1"], 2, ["cannot have the character ₁", "x_1"]),
    (["a*x", "a=1", "x=1"], 2, ["give a variable its value with --a 1"]),
    (["relu(x)", "--x", "0", "--let", "relu-at-zero=1"], 2, ["the program has no variable relu-at-zero"]),
    (["loss=x", "--x", "1", "--only", "loss"], 2, ["loss.data or --only loss.grad"]),
    (["x", "--x", "1", "--only", "value,grad"], 2, ["repeat --only"]),
    (["2*πr", "--r", "2"], 2, ["no variable r"]),
    (["x", "--x", "1", "--letter", "3"], 2, ["no option --letter"]),
    (["x", "--let", "q=3"], 2, ["the program has no variable q"]),
    (["help*2"], 2, ["--let help=NUMBER"]),
    (["x⃝*2", "--x⃝"], 2, ["--x⃝ has no value"]),
    (["x", "--x", "# 3"], 2, ["the value of x is empty"]),
    (["2*πr"], 2, ["πr is one name, and a product would be π*r"]),
    (["--file", ""], 2, ["the name of the file is empty"]),
    (["x", "--x", "1\n+ (2"], 2, ["\n  + (2\n    ^"]),
    (["x", "--x", "1", "--log-epsilon", "0"], 2, ["above 0"]),
    (["x", "--x", "1", "--ties", "fist"], 2, ["split, first or last", "--ties first?"]),
    (["x", "--x", "1", "--ieee=yes"], 2, ["takes no value"]),
    (["x*2", "–x", "1"], 2, ["long dash", "--x"]),
    (["x*2", "—x=1"], 2, ["long dash", "--x"]),
    (["x*2", "-x", "1"], 2, ["-x is an expression here", "--x"]),
    (["x", "*", "y"], 2, ["one expression, and got 3", "quotes"]),
    (["x", "--file", "y"], 2, ["both an expression and a --file"]),
    (["--file", "/no/such/file"], 2, ["/no/such/file cannot be read: no such file"]),
    (["--file", "/"], 2, ["/ cannot be read", "directory"]),
    (["--file", "a\x00b"], 2, ["cannot be read"]),
    (["log(x)", "--x", "0"], 3, ["log is defined for a > 0"]),
    (["log(x)", "--x", "-1"], 3, ["log is defined for a > 0"]),
    (["1/x", "--x", "0"], 3, ["division is defined for b != 0", "--div-by-zero ieee lets it through"]),
    (["x/x", "--x", "0"], 3, ["division is defined for b != 0"]),
    (["exp(x)", "--x", "1000"], 3, ["overflows", "--ieee lets it through"]),
    (["x*10", "--x", "1e308"], 3, ["overflows"]),
    (["sqrt(x)", "--x", "-1"], 3, ["sqrt is defined for a >= 0"]),
    (["sqrt(x)", "--x", "0"], 3, ["not finite", "1/(2*sqrt(a))"]),
    (["x**(1/3)", "--x", "-8"], 3, ["cbrt"]),
    (["x**-1", "--x", "0"], 3, ["--div-by-zero ieee"]),
    (["asin(x)", "--x", "2"], 3, ["asin is defined for -1 <= a <= 1"]),
    (["atanh(x)", "--x", "1"], 3, ["atanh is defined for -1 < a < 1"]),
    (["x\x00y"], 2, ["U+0000"]),
    (["x\x1b[31my"], 2, ["U+001B", "\\x1b"]),
    (["x[/bold]"], 2, ["[ means nothing"]),
    (["x", "--x", "[red]1[/red]"], 2, ["[ means nothing", "[red]"]),
]


@pytest.mark.parametrize(("arguments", "code", "words"), MISTAKES, ids=lambda value: str(value)[:40])
def test_mistakes(minigrad: Command, arguments: list[str], code: int, words: list[str]) -> None:
    ran = minigrad("eval", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("minigrad: error: ")
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err
    for word in words:
        assert word in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x*2"], ['minigrad eval "x*2"']),
        (["evl", "x"], ["did you mean minigrad eval?"]),
        (["--x", "1", "x*2"], ["comes after a command"]),
        (["--verison"], ["comes after a command"]),
        (["help"], ["minigrad --help"]),
        ([""], ['minigrad eval "EXPRESSION"']),
    ],
)
def test_what_is_no_command(minigrad: Command, arguments: list[str], words: list[str]) -> None:
    ran = minigrad(*arguments)
    assert (ran.code, ran.out) == (2, "")
    for word in words:
        assert word in ran.err


def test_a_value_is_pointed_at_where_it_was_typed(minigrad: Command) -> None:
    assert minigrad("eval", "x", "--let", "x=2*").err.splitlines()[1:3] == ["  --let x=2*", "           ^"]
    assert minigrad("eval", "x", "--x", "1 + abc").err.splitlines()[1:3] == ["  --x 1 + abc", "          ^^^"]


def test_the_caret_stands_under_wide_characters_and_escapes(minigrad: Command) -> None:
    assert minigrad("eval", "日本*語 + 2 x").err.splitlines()[1:3] == ["  日本*語 + 2 x", "            ^^^"]
    wide = minigrad("eval", "日本語" * 40 + " + 2 x").err.splitlines()
    assert max(map(cell_len, wide[1:3])) <= 80
    assert wide[1].endswith("語 + 2 x")
    assert cell_len(wide[1]) == cell_len(wide[2])
    assert minigrad("eval", "ab\t+ \x07").err.splitlines()[1:3] == ["  ab + \\x07", "       ^^^^"]


def test_the_line_of_a_long_program_is_shown(minigrad: Command) -> None:
    text = "\n".join(f"a{number} = {number}" for number in range(1000)) + "\nb = a1 a2\nb"
    lines = minigrad("eval", text).err.splitlines()
    assert lines[0] == "minigrad: error: line 1001: a product needs its *"
    assert lines[1:3] == ["  b = a1 a2", "      ^^^^^"]
    assert minigrad("eval", "a = 0\r\nb = log(a)").err.startswith("minigrad: error: line 2: log is defined")


def test_a_file_that_is_taken_for_an_expression(minigrad: Command, tmp_path: Path) -> None:
    path = tmp_path / "program.mg"
    path.write_text("x*2")
    assert f"write --file {path}" in minigrad("eval", str(path)).err


@pytest.mark.parametrize("text", ["x + " * 300_000 + "2 y + x", "9" * 1_000_000, "(" * 1_000_000, "x" * 1_000_000])
def test_a_window_of_a_long_line(minigrad: Command, text: str) -> None:
    ran = minigrad("eval", "-", stdin=text)
    assert (ran.code, ran.out) == (2, "")
    assert max(map(len, ran.err.splitlines())) < 200


def test_bytes_that_are_not_utf_8(minigrad: Command, tmp_path: Path) -> None:
    ran = minigrad("eval", "-", stdin=b"x + \xff")
    assert ran.code == 2
    assert "byte 5 is 0xff" in ran.err
    path = tmp_path / "latin"
    path.write_bytes("é".encode("latin-1"))
    assert "not UTF-8" in minigrad("eval", "--file", str(path)).err


def test_hundreds_of_missing_values_are_in_one_message(minigrad: Command) -> None:
    ran = minigrad("eval", " + ".join(f"w{number}" for number in range(300)))
    assert ran.code == 2
    assert "w0, w1" in ran.err
    assert "w299" in ran.err


ALPHABET = [
    *("x", "y", "e", "pi", "1", "2.5", ".", "1e5", "(", ")", "+", "-", "*", "/", "**", "^", ",", ";", "\n", "=", " "),
    *("exp", "log(", "max(", "relu", "tanh(", "²", "⁻", "√", "π", "µ", "₁", "#", "%", "<", "!", "[", "]", "{", "\x00"),
    *("\x1b[31m", "\u202e", "\udcff", "日", "e\u0301", "\r", "\t", "'", '"', "\\", "$", "|", "&", "–", "—", "[/red]"),
]


@pytest.mark.parametrize("seed", range(4))
def test_no_text_whatever_gets_through(minigrad: Command, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(250):
        text = "".join(chance.choices(ALPHABET, k=chance.randrange(1, 25)))
        flags = ["--x", chance.choice(["1", "0", "-1", "1e308", text])]
        ran = minigrad(
            "eval", *flags, "--format", chance.choice(["table", "json", "latex", "markdown", "csv"]), "--", text
        )
        assert ran.code in (0, 2, 3), (text, ran)
        assert (ran.code == 0) == (ran.err == ""), (text, ran)
        assert (ran.code == 0) == (ran.out != ""), (text, ran)
        assert not any(character in ran.out + ran.err for character in "\x00\x1b\u202e\r"), text
