"""The language: what a program means. Expected numbers are Python's own, or by hand."""

from __future__ import annotations

import math
import pickle

import pytest

from minigrad import Conventions, MathError
from minigrad_grammar import LanguageError, PointError, evaluate, parse


def value(text: str, **point: float) -> float:
    return evaluate(parse(text), point).value


@pytest.mark.parametrize(
    "text",
    [
        "2 + 3*4 - 6/4",
        "-3**2",
        "2**-1",
        "2**3**2",
        "-2**-2",
        "(2 + 3)*4",
        "2 - 3 - 4",
        "24/4/3",
        "2*-3",
        "--3",
        "-+-3",
        "+3",
        "1_000.5",
        ".5",
        "5.",
        "1e-3",
        "1E3",
        "123.E2",
        "1_0e1_0",
        "0.1 + 0.2",
        "1e308",
        "5e-324",
    ],
)
def test_arithmetic_and_numbers_are_pythons(text: str) -> None:
    assert value(text) == float(eval(text))


def test_the_other_power_sign_is_the_same() -> None:
    assert value("-3^2") == -9
    assert value("2^3^2") == 512
    assert value("2^-1") == 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 × 4", 12),
        ("3·4", 12),
        ("3⋅4", 12),
        ("3∗4", 12),
        ("3＊4＋1", 13),
        ("6 ÷ 4", 1.5),
        ("6∕4", 1.5),
        ("5 − 2", 3),
        ("5 – 2", 3),
        ("2**−1", 0.5),
        ("√(9)", 3),
        ("∛(27)", 3),
        ("π", math.pi),
        ("τ", math.tau),
        ("3²", 9),
        ("2⁻¹", 0.5),
        ("2¹⁰", 1024),
        ("-3²", -9),
        ("2³**2", 512),
        ("2³²", 2.0**32),
        ("2*3²", 18),
        ("(1\u00a0+\u20092)", 3),
        ("\ufeff1 + 1", 2),
    ],
)
def test_what_people_paste_is_read_as_they_mean_it(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-15)


def test_constants() -> None:
    assert [value(name) for name in ("pi", "tau", "e")] == [math.pi, math.tau, math.e]


def test_names_of_constants_can_be_bound_by_the_program_or_from_outside() -> None:
    assert value("e = 3; e*2") == 6
    program = parse("e*x", given=["e"])
    assert evaluate(program, {"e": 2, "x": 5}).gradient == {"e": 5.0, "x": 2.0}
    with pytest.raises(LanguageError, match="used before"):
        parse("y = e*2; e = 3; y + e")


@pytest.mark.parametrize(
    "name", ["α", "σ_1", "x_1", "_x", "été", "переменная", "x̂", "変数", "ñ", "x2y", "किताब", "ไทยที่", "x⃗"]
)
def test_names_are_of_any_letters(name: str) -> None:
    assert evaluate(parse(f"{name}*2"), {name: 3}).value == 6


def test_names_are_compared_in_nfc_with_micro_as_mu() -> None:
    assert evaluate(parse("e\u0301 + 1"), {"\u00e9": 2}).value == 3
    assert list(parse("\u00b5 + \u03bc").inputs) == ["\u03bc"]
    assert list(parse("\u212b + \u00c5").inputs) == ["\u00c5"]


def test_statements() -> None:
    assert value("a = 2; b = 3; c = a*b; c + a") == 8
    assert value("a = 2\nb = 3\n\nc = a*b\nc + a\n") == 8
    assert value("a = 2 # two\n; ;b = 3\r\na*b # product") == 6
    assert value("(1 +\n 2\n)*3") == 9
    assert value("max(1,\n2)") == 2


def test_a_name_bound_to_a_constant_expression_is_an_input_with_a_default() -> None:
    program = parse("a = 2; t = -pi/2; a*t")
    assert list(program.inputs) == ["a", "t"]
    assert evaluate(program, {}).gradient == {"a": -math.pi / 2, "t": 2.0}
    assert evaluate(program, {"a": 5}).gradient["t"] == 5


def test_a_default_that_is_overridden_is_not_computed() -> None:
    program = parse("y = log(2 - 3)*2; z = 4/2; x + y*z")
    assert evaluate(program, {"x": 1, "y": 2}).value == 5
    with pytest.raises(MathError):
        evaluate(program, {"x": 1})


def test_an_input_that_the_output_does_not_use_has_the_gradient_zero() -> None:
    assert evaluate(parse("a = 2; b = 3; b*b"), {}).gradient == {"a": 0.0, "b": 6.0}
    assert evaluate(parse("y = exp(x); a = x*x; a"), {"x": 3}).gradient == {"x": 6.0}


def test_a_second_name_is_the_same_node() -> None:
    program = parse("a = x*x; b = a; c = (b); c + b")
    assert program.aliases == {"b": "a", "c": "a"}
    assert [program.labels[index] for index in program.nodes] == ["x", "a", "out"]
    assert evaluate(program, {"x": 2}).gradient == {"x": 8.0}
    assert parse("a = 2; b = a; b").aliases == {"b": "a"}


def test_the_last_statement_is_the_output() -> None:
    for text in ("a = x*2; b = a + 1", "a = x*2; a + 1", "b = 7; a = x*2; c = a + 1; c"):
        assert evaluate(parse(text), {"x": 3}).value == 7
    assert evaluate(parse("x"), {"x": 3}).gradient == {"x": 1.0}
    assert evaluate(parse("a = 2"), {}).gradient == {"a": 1.0}
    assert evaluate(parse("a = x; 2 + 3"), {"x": 1}).gradient == {"x": 0.0}


def test_an_exponent_is_a_constant_expression() -> None:
    assert evaluate(parse("x**(1/2 + 1)"), {"x": 4}).value == 8
    assert evaluate(parse("x**pi"), {"x": 1}).gradient == {"x": math.pi}
    assert evaluate(parse("x^2^3"), {"x": 2}).value == 256


def test_equal_subexpressions_stay_two_nodes_and_a_name_is_one() -> None:
    assert len(parse("(x + 1)*(x + 1)").nodes) == 4
    assert len(parse("a = x + 1; a*a").nodes) == 3
    doubling = "a1 = x + x; " + "; ".join(f"a{k} = a{k - 1} + a{k - 1}" for k in range(2, 21))
    program = parse(doubling)
    assert len(program.nodes) == 21
    assert evaluate(program, {"x": 1}).gradient == {"x": 2.0**20}


def test_names_of_nodes() -> None:
    program = parse("v1 = x + 1; exp(x)*y + v1 + sin(out)")
    labels = [program.labels[index] for index in program.nodes]
    assert labels == ["x", "y", "out", "v1", "v2", "v3", "v4", "v5", "out1"]


def test_every_node_knows_its_text() -> None:
    program = parse("c = (a + b)*2 ; (√( c )\n  + exp(-c**2))")
    texts = [program.expression(index) for index in program.nodes]
    operations = ["a + b", "(a + b)*2", "√( c )", "c**2", "-c**2", "exp(-c**2)", "√( c ) + exp(-c**2)"]
    assert texts == ["a", "b", *operations]


def test_a_formula_does_not_mean_the_users_pi() -> None:
    program = parse("erf(x)*pi", ["pi"])
    assert program.slope_texts(program.nodes[2]) == ["2/sqrt(3.141592653589793)*exp(-x**2)"]


def test_wrong_types_are_refused_at_the_door() -> None:
    for text in (None, 3, b"x"):
        with pytest.raises(TypeError, match="a program is text"):
            parse(text)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="comes from parse"):
        evaluate("x", {"x": 1})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="real number"):
        evaluate(parse("x"), {"x": "3"})  # type: ignore[dict-item]
    with pytest.raises(PointError, match="given twice"):
        evaluate(parse("μ"), {"μ": 1, "µ": 2})


def test_a_program_survives_pickling() -> None:
    program = pickle.loads(pickle.dumps(parse("a = 3; x**3*a + tanh(x)")))
    assert evaluate(program, {"x": 2}).value == 24 + math.tanh(2)
    assert [program.slope_texts(index) for index in program.nodes][2] == ["3*x**2"]
    assert program.nodes == parse(program.text).nodes


def test_a_long_expression_is_written_over_names() -> None:
    text = " + ".join(f"x*{number}" for number in range(100))
    program = parse(text)
    texts = [program.expression(index) for index in program.nodes]
    assert texts[-1] == "v197 + v198"
    assert max(map(len, texts)) <= 200


def test_a_long_number_is_its_own_expression() -> None:
    program = parse("0." + "1" * 300)
    assert program.expression(program.output) == "0." + "1" * 300


def test_a_comment_inside_brackets_is_no_part_of_a_nodes_text() -> None:
    for line_end in ("\n", "\r\n", "\v", "\u2028"):
        program = parse(f"(x # the (input{line_end} + 1)*2")
        assert program.expression(program.output) == "(x + 1)*2"


@pytest.mark.parametrize(
    ("text", "slopes"),
    [
        ("x**2", ["2*x"]),
        ("x**3", ["3*x**2"]),
        ("x²", ["2*x"]),
        ("x⁻¹", ["-1*x**-2"]),
        ("x²**3", ["(2**3)*x**((2**3) - 1)"]),
        ("x⁺²", ["2*x"]),
        ("x**1e-300", ["1e-300*x**(1e-300 - 1)"]),
        ("x**0.00000000000000000000000000001", ["0.00000000000000000000000000001*x**-0.99999999999999999999999999999"]),
        ("x**1e30", ["1e30*x**(1e30 - 1)"]),
        ("x**123456789012345678901234567890", ["123456789012345678901234567890*x**123456789012345678901234567889"]),
        ("x*(1" + " + 1" * 100 + ")", ["1" + " + 1" * 100]),
        ("x**-2", ["-2*x**-3"]),
        ("x**1", ["1"]),
        ("x**0", ["0"]),
        ("x**(1/3)", ["(1/3)*x**((1/3) - 1)"]),
        ("x*(2 + 1)", ["2 + 1"]),
        ("pi = 3; erf(x)*pi", ["pi", "v1"]),
        ("exp(x)", ["exp(x)"]),
        ("x/y", ["1/y", "-x/y**2"]),
        ("tanh(x)", ["1 - tanh(x)**2"]),
        ("x - y", ["1", "-1"]),
    ],
)
def test_formulas_of_local_derivatives(text: str, slopes: list[str]) -> None:
    program = parse(text)
    assert program.slope_texts(program.output) == slopes


@pytest.mark.parametrize("at", [-3.0, -0.5, 0.3, 2.0])
def test_tanh_spelled_with_exp_is_the_same_function(at: float) -> None:
    native = evaluate(parse("tanh(x)*x"), {"x": at})
    spelled = evaluate(parse("tanh(x)*x"), {"x": at}, Conventions(tanh="exp"))
    assert len(spelled.program.nodes) == len(native.program.nodes) + 4
    assert spelled.value == pytest.approx(native.value, rel=1e-13)
    assert spelled.gradient["x"] == pytest.approx(native.gradient["x"], rel=1e-12)
    assert [spelled.program.expression(index) for index in spelled.program.nodes][1:5] == [
        "2*x",
        "exp(v1)",
        "v2 - 1",
        "v2 + 1",
    ]
