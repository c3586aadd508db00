"""minigrad check on the command line: exit codes, formats, files, messages."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from conftest import process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

    Command = Callable[..., Ran]

PROGRAM = ("c = a*b; c + a", "--a", "2", "--b", "3")


def claims_of(ran: Ran) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(ran.out)["claims"]
    return found


def test_the_exit_code_says_whether_all_are_right(minigrad: Command) -> None:
    assert minigrad("check", *PROGRAM, "c = 6", "d/da = 4", "d/db = 2", "dc/da = b").code == 0
    assert minigrad("check", *PROGRAM, "c = 6", "d/da = 3").code == 1
    assert minigrad("check", "x*y", "d/dx = 3").code == 1, "untested"
    assert minigrad("check", "x*y", "d/dz = 3").code == 2
    assert minigrad("check", "x*", "d/dx = 3").code == 2
    assert minigrad("check", "log(x)", "--x", "-1", "d/dx = 3").code == 3
    assert minigrad("check", "sqrt(x)", "--x", "0", "out = 0").code == 3


def test_the_document(minigrad: Command) -> None:
    ran = minigrad("check", *PROGRAM, "d/da = 3", "dc/da = b", "--format", "json")
    assert json.loads(ran.out) == {
        "expression": "c = a*b; c + a",
        "claims": [
            {
                "claim": "d/da = 3",
                "line": None,
                "node": "out",
                "by": "a",
                "verdict": "wrong",
                "claimed": 3.0,
                "truth": 4.0,
                "at": {"a": 2.0, "b": 3.0},
                "reasons": [
                    {
                        "code": "missing-path",
                        "text": "3 is what comes through c; the path through out = c + a adds 1",
                    }
                ],
                "also_possible": claims_of(ran)[0]["also_possible"],
                "note": "",
                "points": 1,
                "regions": 1,
            },
            {
                "claim": "dc/da = b",
                "line": None,
                "node": "c",
                "by": "a",
                "verdict": "right",
                "claimed": None,
                "truth": None,
                "at": {},
                "reasons": [],
                "also_possible": [],
                "note": "",
                "points": claims_of(ran)[1]["points"],
                "regions": 1,
            },
        ],
        "right": 1,
        "wrong": 1,
        "untested": 0,
    }
    assert "last-path-only" in [reason["code"] for reason in claims_of(ran)[0]["also_possible"]]
    assert claims_of(ran)[1]["points"] >= 12


def test_the_table_has_the_verdict_in_words(minigrad: Command) -> None:
    ran = minigrad("check", *PROGRAM, "c = 6", "d/da = 3")
    assert ran.out == (
        "claim     read as  verdict  claimed  truth  at            why\n"
        "c = 6     c        right          6      6  a = 2, b = 3\n"
        "d/da = 3  ∂out/∂a  wrong          3      4  a = 2, b = 3  "
        "3 is what comes through c; the path through out = c + a adds 1\n"
        "\n"
        "1 right, 1 wrong, 0 untested\n"
    )
    coloured = process("check", *PROGRAM, "c = 6", "d/da = 3", env={"FORCE_COLOR": "1", "TERM": "xterm"}).out
    assert "\x1b[" in coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in plain.splitlines()] == ran.out.splitlines()


def test_numbers_that_differ_are_shown_with_the_digits_that_do(minigrad: Command) -> None:
    out = minigrad("check", "x**2/2", "d/dx = x + 1e-9").out
    assert re.search(r"wrong +2\.000000001 +2 ", out), out


def test_csv(minigrad: Command) -> None:
    ran = minigrad("check", *PROGRAM, "d/da = 3", "dc/da = b", "--format", "csv", "--all")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [row["verdict"] for row in rows] == ["wrong", "right", "unclaimed", "unclaimed", "unclaimed"]
    assert rows[0]["at"] == "a=2;b=3"
    assert rows[0]["reasons"].split(";")[0] == "missing-path"
    assert (rows[0]["node"], rows[0]["by"], rows[0]["truth"]) == ("out", "a", "4")


def test_markdown(minigrad: Command) -> None:
    out = minigrad("check", "c = a*b; c + a", "d/da = b", "--format", "markdown").out
    head, rule, row, *_ = out.splitlines()
    assert head.count("|") == rule.count("|") == row.replace(r"\|", "").count("|")
    assert "`d/da = b`" in row


def test_all_lists_what_nobody_claimed(minigrad: Command) -> None:
    document = json.loads(minigrad("check", *PROGRAM, "c = 6", "--all", "--format", "json").out)
    assert document["unclaimed"] == [
        {"node": "out", "by": None, "truth": 8.0},
        {"node": "out", "by": "a", "truth": 4.0},
        {"node": "out", "by": "b", "truth": 2.0},
    ]
    assert minigrad("check", *PROGRAM, "--all").code == 0
    without = json.loads(minigrad("check", "x*y", "--all", "--format", "json").out)
    assert {row["truth"] for row in without["unclaimed"]} == {None}


def test_quiet_prints_nothing(minigrad: Command) -> None:
    ran = minigrad("check", *PROGRAM, "d/da = 3", "--quiet")
    assert (ran.code, ran.out, ran.err) == (1, "", "")


@pytest.mark.parametrize("style", ["table", "json", "csv", "markdown"])
@pytest.mark.parametrize(
    ("program", "claim", "truth"),
    [
        (("c = a*b; c + a", "--a", "2.5", "--b", "3.5"), "d/da = 3.5", "4.5"),
        (("x**2", "--x", "3.25"), "d/dx = 7.5", "6.5"),
        (("x**2", "--x", "3.25"), "d/dx = 100", "6.5"),
        (("x**3*7.125",), "d/dx = 3*x**2", "21.375"),
    ],
)
def test_a_hint_does_not_give_the_truth_away(
    minigrad: Command, style: str, program: tuple[str, ...], claim: str, truth: str
) -> None:
    arguments = ("check", *program, claim, "--hint-only", "--all", "--format", style)
    ran = minigrad(*arguments)
    assert ran.code == 1
    told = ran.out.replace(claim, "").replace(program[0], "")
    assert truth not in told
    assert "truth" not in json.loads(ran.out)["claims"][0] if style == "json" else True


def test_claims_from_a_file(minigrad: Command, tmp_path: Path) -> None:
    program, claims = tmp_path / "homework.mg", tmp_path / "answers.txt"
    program.write_text("c = a*b\nc + a\n", encoding="utf-8")
    claims.write_bytes(b"\xef\xbb\xbf# Ada\r\n\r\nd/da = b + 1  # the sum rule\r\ndc/db = b\r\n")
    ran = minigrad("check", "--file", str(program), "--claims", str(claims), "d/db = a", "--format", "json")
    assert [(claim["line"], claim["verdict"]) for claim in claims_of(ran)] == [
        (None, "right"),
        (3, "right"),
        (4, "wrong"),
    ]
    claims.write_text("d/da = b + 1\nd/da = foo(b)\n", encoding="utf-8")
    ran = minigrad("check", "--file", str(program), "--claims", str(claims))
    assert ran.code == 2
    assert f"{claims}, line 2: there is no function foo" in ran.err
    assert "  d/da = foo(b)\n         ^^^\n" in ran.err
    ran = minigrad("check", "x**2", "--claims", "-", stdin="d/dx = 2*x\n")
    assert ran.code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("x**2",), "there is no claim"),
        ((), "there is no expression"),
        (("x**2", "d/dx"), "it has no ="),
        (("x**2", "d/dx = 2*x", "--claims", "/nowhere/at/all"), "cannot be read"),
        (("-", "--claims", "-"), "standard input cannot be both"),
        (("x**2", "d/dx = 2*x", "--rel-tol", "2"), "from 0 up to 1"),
        (("x**2", "d/dx = 2*x", "--rel-tol", "many"), "--rel-tol"),
        (("x**2", "d/dx = 2*x", "--format", "latex"), "--format is"),
        (("x**2", "d/dx = 2*x", "--y", "2"), "no variable y"),
    ],
)
def test_what_cannot_be_done_is_said(minigrad: Command, arguments: tuple[str, ...], said: str) -> None:
    ran = minigrad("check", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_inputs_that_are_no_doubles_count_as_what_is_written(minigrad: Command) -> None:
    assert minigrad("check", "10*(a + b)", "--a", ".1", "--b", ".2", "out = 3").code == 0
    assert minigrad("check", "sin(x)", "--x", "pi/6", "out = 1/2").code == 0
    assert minigrad("check", "sin(x)", "--x", "pi", "out = 0").code == 0


def test_hostile_names_and_texts_are_only_text(minigrad: Command) -> None:
    ran = minigrad("check", "x**2", "d/dx = 2*x # [/red]\x1b[31m")
    assert "\x1b" not in ran.out
    assert ran.code == 0


def test_a_thousand_claims(minigrad: Command, tmp_path: Path) -> None:
    claims = tmp_path / "claims.txt"
    claims.write_text("".join(f"d/dx = {number}*x\n" for number in range(1, 1001)), encoding="utf-8")
    document = json.loads(minigrad("check", "x**2", "--claims", str(claims), "--format", "json").out)
    assert (document["right"], document["wrong"]) == (1, 999)
    assert document["claims"][1]["verdict"] == "right"
    assert document["claims"][999]["line"] == 1000


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        # Accents without a letter of their own, and letters that differ in the accent alone.
        (("é*2 + è*3", "d/de\u0301 = 2"), "right"),
        (("é*2 + è*3", "d/de\u0301 = 3"), "wrong"),
        (("x\u0302*2", "d/dx\u0302 = 2"), "right"),
        # A clamped logarithm: its derivative is 0 below epsilon.
        (("log(x)", "--log-domain", "clamp", "d/dx = (1 - relu(1e-12 - x)/(1e-12 - x))/x"), "not wrong"),
        # Where every ordinary point cancels, the points beside 1e20 prove nothing.
        (("x + 1e20 - 1e20", "out = x + 1000"), "wrong"),
        (("log(x)*1e20 + x - log(x)*1e20", "out = x + 100"), "wrong"),
        # Half-lines where the operand of a kink cancels, or is flat near every usual point.
        (("x + relu(1e-10 - (cosh(x) - sinh(x)))*1e12", "out = x"), "wrong"),
        (("relu(exp(-x) - 1e32)", "out = 0*x"), "wrong"),
        (("min(exp(x), 1e290)", "d/dx = exp(x)"), "wrong"),
        # The given point counts on a kink too, and where the claim is not defined there is a note.
        (("relu(x) - relu(-x)", "--x", "0", "d/dx = 1 + 0*x"), "wrong"),
        # Numbers that doubles know nothing of.
        (("1 - tanh(x)**2", "--x", "20", "out = -1e-17"), "wrong"),
        (("1 - tanh(x)**2", "--x", "20", "out = 1.7e-17"), "right"),
        (("sin(x)", "--x", "pi", "out = 0"), "right"),
        (("x**2", "--x", "3", "d/dx = (1e20 + 5) - 1e20"), "wrong"),
        (("x**2", "--x", "3", "d/dx = (1e20 + 6) - 1e20"), "right"),
        (("2*x", "d/dx = (1e20 + 5) - 1e20"), "untested"),
        (("2*x", "d/dx = sqrt(0.1*3 - 0.3)"), "untested"),
        # Zeros at the end of a whole number are no significant digits.
        (("x**2", "--x", "5.4", "d/dx = 10"), "wrong"),
        (("x**2", "--x", "20.65", "d/dx = 41"), "right"),
        # Derivatives of what comes before by what comes after.
        (("x**3", "dx/dout = 1"), "wrong"),
        (("a*b", "da/db = 0"), "right"),
        # Comments.
        (("x**2", "d/dx = 2*x  # since f = x**2; right?"), "right"),
        # Every point is on a kink.
        (("max(x, x)", "out = 2*x"), "untested"),
        # Many cells.
        (("max(x, y, z, v, w, u)", "out = max(u, max(w, max(v, max(z, max(y, x)))))"), "right"),
    ],
)
def test_verdicts_on_claims_that_were_hard(minigrad: Command, arguments: tuple[str, ...], verdict: str) -> None:
    ran = minigrad("check", *arguments, "--format", "json")
    told = claims_of(ran)[0]["verdict"]
    assert told != "wrong" if verdict == "not wrong" else told == verdict


def test_the_point_that_is_shown_is_one_that_was_tried(minigrad: Command) -> None:
    (claim,) = claims_of(minigrad("check", "a*x + y", "--x", "2", "x = y", "--format", "json"))
    assert claim["at"]["x"] == 2.0 == claim["truth"]
    assert claim["at"]["y"] == claim["claimed"]


def test_a_hint_does_not_tell_that_a_derivative_is_0(minigrad: Command) -> None:
    program = ("z = a*1; c = b*2; z + c", "--a", "1", "--b", "2", "dc/da = 5")
    assert "does not depend" in minigrad("check", *program).out
    assert "does not depend" not in minigrad("check", *program, "--hint-only").out


def test_a_claim_that_is_not_defined_at_the_given_point_says_so(minigrad: Command) -> None:
    (claim,) = claims_of(minigrad("check", "relu(x)", "--x", "0", "d/dx = relu(x)/x", "--format", "json"))
    assert (claim["verdict"], claim["note"]) == ("right", "it holds in general, but is not defined at the given point")


def test_long_claims_and_programs_end(minigrad: Command) -> None:
    assert minigrad("check", "x*2", f"d/dx = {'-' * 20_000}2").code == 0
    wrong = claims_of(minigrad("check", "+".join(["x"] * 3000), "d/dx = 3001", "--x", "1", "--format", "json"))
    assert wrong[0]["verdict"] == "wrong"
