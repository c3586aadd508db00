"""minigrad eval: what it takes, and what it prints in each format."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import TYPE_CHECKING

import pytest
from conftest import process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

    Command = Callable[..., Ran]

EXAMPLE = ("eval", "exp(x)*y", "--x", "1", "--y", "2")


def test_the_table(minigrad: Command) -> None:
    assert minigrad(*EXAMPLE).out == (
        "node  expression     data     grad  local derivative\n"
        "x     x                 1  5.43656\n"
        "y     y                 2  2.71828\n"
        "v1    exp(x)      2.71828        2  ∂/∂x = exp(x) = 2.71828\n"
        "out   exp(x)*y    5.43656        1  ∂/∂v1 = y = 2\n"
        "                                    ∂/∂y = v1 = 2.71828\n"
    )


def test_the_worked_example_of_the_seed(minigrad: Command) -> None:
    assert minigrad("eval", "c = a*b; L = c + a", "--a", "2", "--b", "3").out == (
        "node  expression  data  grad  local derivative\n"
        "a     a              2     4\n"
        "b     b              3     2\n"
        "c     a*b            6     1  ∂/∂a = b = 3\n"
        "                              ∂/∂b = a = 2\n"
        "L     c + a          8     1  ∂/∂c = 1\n"
        "                              ∂/∂a = 1\n"
    )


def test_json_has_everything_at_full_precision(minigrad: Command) -> None:
    ran = minigrad(*EXAMPLE, "--format", "json", "--digits", "2")
    assert ran.out.count("\n") == 1
    assert json.loads(ran.out) == {
        "expression": "exp(x)*y",
        "inputs": {"x": 1.0, "y": 2.0},
        "value": 2 * math.e,
        "gradient": {"x": 2 * math.e, "y": math.e},
        "nodes": [
            {"name": "x", "op": "input", "expression": "x", "data": 1.0, "grad": 2 * math.e, "local": []},
            {"name": "y", "op": "input", "expression": "y", "data": 2.0, "grad": math.e, "local": []},
            {
                "name": "v1",
                "op": "exp",
                "expression": "exp(x)",
                "data": math.e,
                "grad": 2.0,
                "local": [{"wrt": "x", "formula": "exp(x)", "value": math.e}],
            },
            {
                "name": "out",
                "op": "mul",
                "expression": "exp(x)*y",
                "data": 2 * math.e,
                "grad": 1.0,
                "local": [
                    {"wrt": "v1", "formula": "y", "value": 2.0},
                    {"wrt": "y", "formula": "v1", "value": math.e},
                ],
            },
        ],
        "aliases": {},
        "conventions": {
            "relu_at_zero": 0.0,
            "abs_at_zero": 0.0,
            "ties": "split",
            "log_domain": "error",
            "log_epsilon": 1e-12,
            "div_by_zero": "error",
            "tanh": "native",
            "ieee": False,
        },
        "notes": [],
    }


def test_json_writes_what_it_has_no_number_for_as_text(minigrad: Command) -> None:
    document = json.loads(minigrad("eval", "1/x", "--x", "0", "--ieee", "--format", "json").out)
    assert (document["value"], document["gradient"]) == ("Infinity", {"x": "-Infinity"})
    document = json.loads(minigrad("eval", "log(x)", "--x", "-1", "--ieee", "--format", "json").out)
    assert (document["value"], document["gradient"]) == ("NaN", {"x": "NaN"})


@pytest.mark.parametrize(("format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_delimited(minigrad: Command, format: str, delimiter: str) -> None:  # noqa: A002
    ran = minigrad("eval", "max(x, y)*x", "--x", "3", "--y", "0.1", "--format", format)
    rows = list(csv.DictReader(io.StringIO(ran.out), delimiter=delimiter))
    assert [row["name"] for row in rows] == ["x", "y", "v1", "out"]
    assert rows[3] == {
        "name": "out",
        "op": "mul",
        "expression": "max(x, y)*x",
        "data": "9",
        "grad": "1",
        "wrt": "v1;x",
        "formula": "x;v1",
        "local": "3;3",
    }
    assert float(rows[1]["data"]) == 0.1


def test_markdown(minigrad: Command) -> None:
    assert minigrad("eval", "relu(x)*x", "--x", "0", "--format", "markdown").out == (
        "| node | expression | data | grad | local derivative |\n"
        "| --- | --- | ---: | ---: | --- |\n"
        "| `x` | `x` | 0 | 0 |  |\n"
        "| `v1` | `relu(x)` | 0 | 0 | `∂/∂x = 0 [1]` |\n"
        "| `out` | `relu(x)*x` | 0 | 1 | `∂/∂v1 = x = 0`<br>`∂/∂x = v1 = 0` |\n"
        "\n"
        "\\[1\\] v1: relu has a kink at 0: the derivative is a choice "
        "(\\-\\-relu-at-zero 0; it may be a number from 0 to 1)  \n"
    )


def test_latex(minigrad: Command) -> None:
    ran = minigrad("eval", "alpha*x_1**2/(tau - 3)", "--alpha", "1e-8", "--x_1", "2", "--format", "latex")
    assert r"$\alpha$ & $\alpha$ & $1 \times 10^{-8}$" in ran.out
    assert r"\frac{\alpha \cdot x_{1}^{2}}{\tau - 3}" in ran.out
    assert ran.out.count("{") == ran.out.count("}")
    assert ran.out.count("$") % 2 == 0
    lines = [line for line in ran.out.splitlines() if line.endswith(r"\\")]
    assert all(line.count("&") == 4 for line in lines)


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("exp(x)*y", r"\exp\left(x\right) \cdot y"),
        ("(a + b)*c", r"\left(a + b\right) \cdot c"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("a - b*c", r"a - b \cdot c"),
        ("-(a + b)", r"-\left(a + b\right)"),
        ("(-a)**2", r"\left(-a\right)^{2}"),
        ("-a**2", r"-a^{2}"),
        ("a**2**3", r"a^{2^{3}}"),
        ("(a/b)**2", r"\left(\frac{a}{b}\right)^{2}"),
        ("√(x)²", r"\sqrt{x}^{2}"),
        ("abs(x) + cbrt(y)", r"\left|x\right| + \sqrt[3]{y}"),
        ("log(x) + log10(y)", r"\ln\left(x\right) + \log_{10}\left(y\right)"),
        ("sigmoid(w1)", r"\mathrm{sigmoid}\left(w_{1}\right)"),
        ("1e-3*x", r"1 \times 10^{-3} \cdot x"),
        ("rate*x_max", r"\mathrm{rate} \cdot x_{\mathrm{max}}"),
        ("π*e", r"\pi \cdot \mathrm{e}"),
        ("x²", "x^{2}"),
        ("x⁻¹² + 2⁻¹", "x^{-12} + 2^{-1}"),
        ("x*1e3**2", r"x \cdot \left(1 \times 10^{3}\right)^{2}"),
        ("x²**3", r"x^{2^{3}}"),
        ("_ + __a_b", r"\mathrm{\_} + \mathrm{\_\_a\_b}"),
        ("1 if x > 0 else 0", r"1\ \mathrm{if}\ x > 0,\ \mathrm{else}\ 0"),
    ],
)
def test_expressions_in_latex(text: str, tex: str) -> None:
    from minigrad_cli.views import latex

    assert latex.tex(text) == tex


def test_different_names_are_different_in_latex() -> None:
    from minigrad_cli.views import latex

    names = ["x1", "x_1", "x_1_2", "x_12", "α", "alpha", "x", "x_", "_", "__", "is", "é"]
    assert len(set(latex.tex_names(names).values())) == len(names)


def test_a_variable_named_like_a_constant_does_not_look_like_it_in_latex(minigrad: Command) -> None:
    assert r"$\pi \cdot \mathrm{pi}$" in minigrad("eval", "π*pi", "--pi", "3", "--format", "latex").out


def test_a_function_of_many_operands_is_abbreviated_for_people_only(minigrad: Command) -> None:
    text = f"max({', '.join(f'x + {number}' for number in range(500))})"
    assert max(map(len, minigrad("eval", text, "--x", "1").out.splitlines())) < 400
    nodes = json.loads(minigrad("eval", text, "--x", "1", "--format", "json").out)["nodes"]
    assert nodes[-1]["expression"].count(",") == 499


def test_json_escapes_what_a_terminal_might_act_on(minigrad: Command) -> None:
    ran = minigrad("eval", "-", "--x", "1", "--format", "json", stdin="x # \x9b31m \u202e \x7f \U000e0001 日")
    assert json.loads(ran.out)["expression"] == "x # \x9b31m \u202e \x7f \U000e0001 日"
    assert ran.out.rstrip("\n").isprintable()


def test_only(minigrad: Command) -> None:
    assert minigrad(*EXAMPLE, "--only", "value").out == "5.43656365691809\n"
    assert minigrad(*EXAMPLE, "--only", "grad").out == "x\t5.43656365691809\ny\t2.718281828459045\n"
    assert minigrad(*EXAMPLE, "--only", "v1.grad", "--only", "out.data").out == "2\n5.43656365691809\n"
    assert minigrad("eval", "b = x*2; c = b; c + 1", "--x", "3", "--only", "c.data").out == "6\n"
    assert minigrad("eval", "value*2", "--value", "4", "--only", "value", "--only", "value.data").out == "8\n4\n"


def test_bare_numbers_read_back_to_the_same_double(minigrad: Command) -> None:
    for number in (0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e16, 123456789.0):
        out = minigrad("eval", "x", "--x", repr(number), "--only", "value").out
        assert float(out).hex() == number.hex()


def test_an_unknown_only_names_what_there_is(minigrad: Command) -> None:
    ran = minigrad(*EXAMPLE, "--only", "z.grad")
    assert ran.code == 2
    assert "there is no --only z.grad" in ran.err
    assert minigrad(*EXAMPLE, "--only", "x").code == 2
    assert minigrad(*EXAMPLE, "--only", "value", "--format", "json").code == 2


@pytest.mark.parametrize("digits", ["1", "3", "17"])
def test_digits_round_for_reading(minigrad: Command, digits: str) -> None:
    assert f"{math.e:.{digits}g}" in minigrad(*EXAMPLE, "--digits", digits).out


@pytest.mark.parametrize("digits", ["0", "18", "-1", "2.5", "six", "", "9" * 5000])
def test_digits_that_are_none(minigrad: Command, digits: str) -> None:
    ran = minigrad(*EXAMPLE, "--digits", digits)
    assert (ran.code, ran.out) == (2, "")
    assert "from 1 to 17" in ran.err


def test_arguments_in_any_order(minigrad: Command) -> None:
    for arguments in (
        ["x**2", "--x", "3"],
        ["--x", "3", "x**2"],
        ["--x=3", "x**2"],
        ["--let", "x=3", "x**2"],
        ["--let=x=3", "x**2"],
        ["--x", "3", "--", "x**2"],
        ["--let", "x = 3", "x**2"],
    ):
        assert minigrad("eval", "--only", "value", *arguments).out == "9\n"


def test_a_leading_minus_is_a_minus(minigrad: Command) -> None:
    assert minigrad("eval", "-x**2", "--x", "-3", "--only", "value").out == "-9\n"
    assert minigrad("eval", "--x*y", "--x", "2", "--y", "3", "--only", "value").out == "6\n"
    assert minigrad("eval", "--x", "2", "--only", "value", "--", "--x").out == "2\n"
    assert minigrad("eval", "-h", "--h", "2", "--only", "value").out == "-2\n"
    assert minigrad("eval", "--x-y", "--x", "2", "--y", "3", "--only", "value").out == "-1\n"


def test_values_are_constant_expressions(minigrad: Command) -> None:
    for text, number in [("pi/2", math.pi / 2), ("sqrt(2)", math.sqrt(2)), ("-1e-3", -1e-3), ("2**-1", 0.5)]:
        assert float(minigrad("eval", "x", "--x", text, "--only", "value").out) == number


def test_defaults_need_no_flag_and_flags_override_them(minigrad: Command) -> None:
    program = "a = 2; b = 3; c = a*b; c + a"
    assert minigrad("eval", program, "--only", "value").out == "8\n"
    assert minigrad("eval", program, "--a", "5", "--only", "value").out == "20\n"


def test_constants_become_variables_where_they_are_bound(minigrad: Command) -> None:
    assert minigrad("eval", "e*2", "--only", "value").out == f"{2 * math.e!r}\n"
    assert minigrad("eval", "e*2", "--e", "3", "--only", "e.grad").out == "2\n"
    assert minigrad("eval", "e*2", "--let", "e=3", "--only", "value").out == "6\n"


def test_a_variable_named_like_an_option(minigrad: Command) -> None:
    ran = minigrad("eval", "digits*2")
    assert ran.code == 2
    assert "--let digits=NUMBER" in ran.err
    assert minigrad("eval", "digits*2", "--let", "digits=4", "--only", "digits.grad").out == "2\n"
    assert minigrad("eval", "help + 1", "--let", "help=4", "--only", "value").out == "5\n"
    assert minigrad("eval", "--let", "help=4", "--only", "value", "--", "--help").out == "4\n"


def test_unicode_flags(minigrad: Command) -> None:
    assert minigrad("eval", "α*µ", "--α", "2", "--μ", "3", "--only", "value").out == "6\n"
    assert minigrad("eval", "e\u0301*2", "--é", "2", "--only", "value").out == "4\n"


def test_programs_from_files_and_standard_input(minigrad: Command, tmp_path: Path) -> None:
    text = "a = 2 # a\r\nb = 3\r\na*b\r\n"
    path = tmp_path / "program.mg"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert minigrad("eval", "--file", str(path), "--only", "value").out == "6\n"
    assert minigrad("eval", "-", "--only", "value", stdin=text).out == "6\n"
    assert minigrad("eval", "--file", "-", "--only", "value", stdin=text).out == "6\n"
    assert minigrad("eval", "-", "--only", "value", "--a", "7", stdin=text).out == "21\n"


def test_notes_tell_what_a_convention_decided(minigrad: Command) -> None:
    def notes(*arguments: str) -> list[str]:
        document = json.loads(minigrad("eval", *arguments, "--format", "json").out)
        told = [f"{note['node']}: {note['text']}" for note in document["notes"]]
        return [note for note in told if "after rounding" not in note]

    assert "out: relu has a kink" in notes("relu(x)", "--x", "0")[0]
    assert "--relu-at-zero 0.5" in notes("relu(x)", "--x", "-0.0", "--relu-at-zero", "1/2")[0]
    assert "abs has a kink" in notes("abs(x)", "--x", "0")[0]
    assert "(--ties last; it may be split, first or last)" in notes("max(x, 1)", "--x", "1", "--ties", "last")[0]
    assert "(--log-domain clamp; " in notes("log(x)", "--x", "0", "--log-domain", "clamp", "--log-epsilon", "1e-6")[0]
    assert "one-sided" in notes("x**1.5", "--x", "0")[0]
    assert "0**0 is taken as 1" in notes("x**0", "--x", "0")[0]
    assert "too small for a double" in notes("x*x", "--x", "1e-200")[0]
    assert "too small for a double" in notes("exp(x)", "--x", "-800")[0]
    assert "x: a contribution to its gradient" in notes("x*1e-200*1e-200", "--x", "1")[0]
    assert "let it through" in notes("1/x", "--x", "0", "--ieee")[0]
    assert "let it through" in notes("sqrt(x)", "--x", "0", "--ieee")[0]
    assert "about 16 digits of its value and 0 of its derivative" in notes("tanh(x)", "--x", "20", "--tanh", "exp")[0]
    assert "out: a local derivative is not 0" in notes("(1e200*x)**-1", "--x", "2")[0]
    assert "out: a local derivative is not 0" in notes("1/x", "--x", "1e200")[0]
    assert "out: a local derivative is not 0" in notes("tanh(x)", "--x", "400")[0]
    assert "out: a local derivative is not 0" in notes("erf(x)", "--x", "30")[0]
    assert "(--div-by-zero ieee; it may be error or ieee)" in notes("1/x", "--x", "0", "--div-by-zero", "ieee")[0]
    assert "out: the result is not a finite" in notes("x+1/0", "--x", "1", "--div-by-zero", "ieee")[0]
    assert notes("relu(0) + max(2, 2)") == []
    assert notes("tanh(x)", "--x", "1", "--tanh", "exp") == []
    assert notes("tanh(x)*relu(x)*abs(x)*max(x, 0)*log(x)", "--x", "20") == []


def test_ieee_lets_infinities_and_nan_be_given(minigrad: Command) -> None:
    values = {"inf": "inf", "-inf": "-inf", "Infinity": "inf", "nan": "nan", "1/0": "inf", "+-inf": "-inf"}
    values |= {"--inf": "inf", "−inf": "-inf"}
    for text, out in values.items():
        assert minigrad("eval", "x", f"--x={text}", "--ieee", "--only", "value").out == f"{out}\n"
    assert minigrad("eval", "x", "--x", "inf").code == 2


def test_help_and_version(minigrad: Command) -> None:
    assert minigrad("--version").out.startswith("minigrad 0.")
    alone, asked = minigrad(), minigrad("--help")
    assert alone == asked
    assert "eval" in alone.out
    ran = minigrad("eval", "--help")
    assert ran.code == 0
    for word in ("--relu-at-zero", "--ties", "split|first|last", "--ieee", "--only", "--let", "[default: 1e-12]"):
        assert word in " ".join(ran.out.split())


def test_python_m_minigrad_from_a_folder_with_files_of_the_same_names(tmp_path: Path) -> None:
    import os

    (tmp_path / "cli.py").write_text("raise SystemExit('the wrong cli')")
    (tmp_path / "grammar").mkdir()
    (tmp_path / "grammar" / "__init__.py").write_text("raise SystemExit('the wrong grammar')")
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        assert process(*EXAMPLE, "--only", "x.grad").out == "5.43656365691809\n"
    finally:
        os.chdir(before)


def test_notes_tell_how_many_digits_are_sure(minigrad: Command) -> None:
    def notes(*arguments: str) -> list[str]:
        document = json.loads(minigrad("eval", *arguments, "--format", "json").out)
        return [f"{note['node']}: {note['text']}" for note in document["notes"]]

    # (1 + x) - 1 keeps of x = 1e-12 what 1 has below 1e-12: 16 - 12 digits, and the last is rounded.
    assert notes("(1 + x) - 1", "--x", "1e-12") == ["out: after rounding, about 3 digits of its data are sure"]
    assert notes("exp(x)*y", "--x", "1", "--y", "2") == []
    assert notes("x - y", "--x", "3", "--y", "3") == [], "an exact 0"
    assert "no digit of its data is sure (it may be off by 2e-16)" in notes("sin(pi)")[0]
    # d/dx of sin(x)**2 + cos(x)**2 is 0, and comes out of two terms that cancel.
    (noted,) = (note for note in notes("sin(x)**2 + cos(x)**2", "--x", "1") if note.startswith("x: "))
    assert "no digit of its gradient is sure" in noted
    # 0.1 + 0.2 - 0.3 is 0, but 5.6e-17 in doubles.
    assert any("relu is at a kink within rounding" in note for note in notes("relu(x*(0.1 + 0.2 - 0.3))", "--x", "1"))


def test_how_many_digits_are_shown_decides(minigrad: Command) -> None:
    few = minigrad("eval", "(1 + x) - 1", "--x", "3e-12", "--digits", "3").out
    many = minigrad("eval", "(1 + x) - 1", "--x", "3e-12", "--digits", "9").out
    assert "[1]" not in few
    assert "about 4 digits of its data are sure" in many
