"""What is wrong with a text is said where it is, with what to write instead; and that is right."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

from minigrad import MathError, MinigradError
from minigrad.choices import Conventions
from minigrad_grammar import LanguageError, PointError, evaluate, parse

# (text, the part that the span covers, words of the message, words of the hint)
MISTAKES = [
    ("", "", "there is no expression", "exp(x)*y"),
    ("  # nothing\n", "", "there is no expression", ""),
    ("(x", "(", "never closed", ")"),
    ("((x)", "(", "never closed", ")"),
    ("exp(x", "(", "never closed", ")"),
    ("x)", ")", "never opened", ""),
    ("(a; b)", "(", "never closed", ""),
    ("2x", "2x", "product needs its *", "2*x"),
    ("x y", "x y", "product needs its *", "x*y"),
    ("2(x+1)", "2(", "product needs its *", "2*(x+1)"),
    ("(x+1)(x-1)", ")(", "product needs its *", "(x+1)*(x-1)"),
    ("x²y", "²y", "product needs its *", "x²*y"),
    ("a = 3\n2a + 1", "2a", "product needs its *", "2*a + 1"),
    ("x = 2; x(3)", "x", "not a function", "x*(3)"),
    ("exp x", "exp x", "needs brackets", "exp(x)"),
    ("sin", "sin", "sin is a function", "sin(...)"),
    ("1 + sin * 2", "sin", "sin is a function", "sin(...)"),
    ("x**y", "y", "exponent is a constant", "write exp(y*log(x)), or a number in place of y"),
    ("2**x", "x", "exponent is a constant", "exp(x*log(2))"),
    ("e**x", "x", "exponent is a constant", "exp(x)"),
    ("n = 2; x**n", "n", "exponent is a constant", "x**2"),
    ("n = 1/3; x**n", "n", "exponent is a constant", "x**(1/3)"),
    ("(a + b)**(c + d)", "(c + d)", "exponent is a constant", "exp((c + d)*log(a + b))"),
    ("x % 2", "%", "means nothing", "remainder"),
    ("x // 2", "//", "means nothing", "integer division"),
    ("x < 2", "<", "means nothing", "comparisons"),
    ("x == 2", "==", "means nothing", "comparisons"),
    ("2 = x", "=", "= binds a name", "name = expression"),
    ("(a = 2) + 1", "=", "= binds a name", ";"),
    ("x = ", "=", "missing after =", ""),
    ("x +", "+", "missing after +", ""),
    ("* x", "*", "missing before *", ""),
    ("()", "(", "missing after (", ""),
    ("exp()", "(", "missing after (", ""),
    ("log(1, 2)", "log(1, 2)", "one operand, not 2", "log(1)/log(2)"),
    ("log(1,5)", "log(1,5)", "one operand, not 2", "log(1.5)"),
    ("1,5", "1,5", "decimal point", "1.5"),
    ("2*x + 1,25", "1,25", "decimal point", "1.25"),
    ("max(x)", "max(x)", "two operands or more", ""),
    ("foo(x)", "foo", "no function foo", "the functions are"),
    ("lgo(x)", "lgo", "no function lgo", "did you mean log?"),
    ("Exp(x)", "Exp", "no function Exp", "did you mean exp?"),
    ("pow(x, 2)", "pow", "no function pow", "x**2"),
    ("x; y", "x", "does nothing", "name"),
    ("x\n+ 2", "x", "does nothing", ""),
    ("x = 1; x = 2", "x", "bound twice", ""),
    ("y = x; x = 2", "x", "used before it is bound", "before its first use"),
    ("exp = 2", "exp", "is a function", "another name"),
    ("ln = 2", "ln", "is a function", "another name"),
    ("0x10", "0x10", "hexadecimal", "decimal"),
    ("1e999", "1e999", "too large", "1.8e308"),
    ("1e-999", "1e-999", "too small", "4.9e-324"),
    ("1.2.3", "1.2.3", "not a number", "1e-3"),
    ("٣", "٣", "not a number", "0 to 9"),
    ("xₙ + 1", "ₙ", "cannot have", "x_n"),
    ("x₁", "₁", "cannot have", "x_1"),
    ("xⁿ", "ⁿ", "cannot have", "x_n"),
    ("|x|", "|", "means nothing", "abs(x)"),
    ("[x]", "[", "means nothing", "( )"),
    ("x\x00", "\x00", "U+0000", "take it out"),
    ("x\x1b[31m", "\x1b", "U+001B", "take it out"),
    ("x\u202ey", "\u202e", "U+202E", "take it out"),
    ("x\udcff", "\udcff", "U+DCFF", "take it out"),
    ("²", "²", "no base", "x²"),
    ("2x + 3y z", "2x", "product needs its *", "write 2*x + 3*y*z"),
    ("(x\n y)", "x\n y", "product needs its *", "write (x* y)"),
    ("(x # note\n y)", "x # note\n y", "product needs its *", "write (x* y)"),
    ("a = 1\r2x", "2x", "product needs its *", "write 2*x"),
    ("2x +", "2x", "product needs its *", "put a * between"),
    ("x" + " + x" * 40 + " + 2y", "2y", "product needs its *", "put a * between"),
    ("2½", "2½", "not a number", ""),
    ("2₁", "2₁", "not a number", ""),
    ("1e+", "1e", "not a number", "1e-3"),
    ("1__0", "1__0", "not a number", ""),
    ("1_.5", "1_", "not a number", ""),
    ("½", "½", "cannot have", "write 1/2"),
    ("x٣", "٣", "cannot have", "write x3"),
    ("f(1, 5)", "f", "no function f", "the functions are"),
    ("x²**y", "y", "exponent is a constant", "for (x²)**y write exp(y*log(x²))"),
    ("(-2)**x", "x", "exponent is a constant", "no real powers but constant ones"),
    ("x**(y\n+1)", "(y\n+1)", "exponent is a constant", "write exp((y +1)*log(x))"),
    ("exp sin(x)", "exp sin", "needs brackets", "exp(...)"),
    ("√√(x)", "√√", "needs brackets", "√(...)"),
    ("max x", "max x", "needs brackets", "max(...)"),
    ("sin 2*x", "sin 2", "needs brackets", "sin(...)"),
    ("sin x + 1", "sin x", "needs brackets", "sin(x)"),
    ("sin x₁", "sin x₁", "needs brackets", "sin(...)"),
    ("sin x̂", "sin x̂", "needs brackets", "sin(x̂)"),
    ("1,234", "1,234", "decimal point", "write 1.234, or 1234 if it separates thousands"),
    ("1,234,567", "1,234,567", "decimal point", "write 1234567"),
    ("a = a", "a", "used before it is bound", "another name"),
    ("2" + "⁹" * 400, "⁹" * 400, "too large", ""),
    ("x" + "⁹" * 1001, "⁹" * 1001, "too long", ""),
    ("x××2", "×", "missing after ×", "a power is **"),
    ("2**x²", "x²", "exponent is a constant", "write exp((x²)*log(2))"),
    ("x**(x*2³)", "(x*2³)", "exponent is a constant", "write exp((x*2³)*log(x))"),
    ("e^((y)³)", "((y)³)", "exponent is a constant", "write exp((y)³)"),
    ("(1-3)**x", "x", "exponent is a constant", "if (1-3) is above 0"),
    ("log(x², 2)", "log(x², 2)", "one operand", "log(x²)/log(2)"),
    ("pow(x², 3)", "pow", "no function pow", "write (x²)**3"),
    ("pow(+-x, 2)", "pow", "no function pow", "write (+-x)**2"),
    ("pow(x, y)", "pow", "no function pow", "write exp(y*log(x))"),
    ("sec(x³)", "sec", "no function sec", "write 1/cos((x³))"),
    ("exp(pi,2)", "exp(pi,2)", "one operand", ""),
    ("exp(1.5,2)", "exp(1.5,2)", "one operand", ""),
    ("1,5e3", ",", "a comma means nothing", ""),
    ("a = (x\n+1)\n(x\n+1) a", ") a", "product needs its *", "put a * between"),
    ("x ÷ ", "÷", "missing after ÷", ""),
    ("x∗∗2", "∗", "missing after ∗", "a power is **"),
    ("x·*2", "*", "missing after ·", "a power is **"),
    ("sin²(x+1) + 1", "sin", "sin is a function", "write sin(x+1)**2"),
    ("cos^2(x)", "cos", "cos is a function", "write cos(x)**2"),
    ("tan**-1(x)", "tan", "tan is a function", "write tan(x)**-1, or atan(x) for the inverse function"),
    ("sin⁻¹(x)", "sin", "sin is a function", "or asin(x) for the inverse function"),
    ("math.sin(x)", ".", "no dots", "write sin(...)"),
    ("0**x", "x", "exponent is a constant", "0 or less"),
    ("e**(-x)", "(-x)", "exponent is a constant", "write exp(-x)"),
    ("2log₂(x)", "₂", "cannot have", "write log2"),
    ("log₂(x)", "₂", "cannot have", "write log2"),
    ("x if x > 0 else 0", "x if", "no conditions", "max, min"),
    ("x and y", "x and", "no conditions", "max, min"),
    ("2*x + 1 --x 1", "x 1", "inside the expression", "outside the quotes"),
    ("sign(x)", "sign", "no function sign", "write x/abs(x)"),
    ("hypot(x, y + 1)", "hypot", "no function hypot", "write sqrt(x**2 + (y + 1)**2)"),
    ("f(x) = x**2; f", "=", "= binds a name", "functions cannot be defined"),
    ("“x”", "“", "means nothing", "quotation marks"),
    ("sin(30°)", "°", "means nothing", "radians"),
    ("x +\n2", "+", "missing after +", "brackets"),
    ("x" * 256, "x" * 256, "name is too long", "255"),
    ("1" * 1001, "1" * 1001, "number is too long", "1000"),
]


@pytest.mark.parametrize(("text", "part", "message", "hint"), MISTAKES, ids=lambda value: repr(value)[:30])
def test_mistakes(text: str, part: str, message: str, hint: str) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text)
    error = caught.value
    assert message in error.message
    assert hint in error.hint
    assert error.span is not None
    start, end = error.span
    assert text[start:end] == part


@pytest.mark.parametrize("text", ["exp(pi,2)", "exp(1.5,2)", "exp(.5,5e3)", "max(x)", "1,5e3"])
def test_no_decimal_point_is_hinted_where_none_would_do(text: str) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text)
    assert "point" not in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "2x",
        "x y",
        "2x + 3y z",
        "2(x+1)",
        "(x+1)(x-1)",
        "x²y",
        "exp x",
        "x**y",
        "2**x",
        "e**x",
        "n = 2; x**n",
        "log(1,5)",
        "1,5",
    ],
)
def test_the_rewrite_in_a_hint_is_a_program(text: str) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text)
    rewrite = re.search(r"(?:write the number:|write|point:) (.*?)(?:, or a number .*)?$", caught.value.hint)
    assert rewrite is not None, caught.value.hint
    parse(rewrite[1])


# (program, point, kind, part under the carets, message)
FAULTS = [
    ("exp(x) * log(x - 2)", {"x": 1}, "domain", "log(x - 2)", "log is defined for a > 0, and here a = x - 2 = -1"),
    ("log(-1)", {}, "domain", "log(-1)", "log is defined for a > 0, and here a = -1"),
    ("1/x", {"x": 0}, "pole", "1/x", "division is defined for b != 0, and here a = 1 and b = x = 0"),
    ("0/x", {"x": 0}, "domain", "0/x", "division is defined for b != 0, and here a = 0 and b = x = 0"),
    ("exp(1000*x)", {"x": 1}, "overflow", "exp(1000*x)", "exp(a) overflows at a = 1000*x = 1000"),
    ("1e308*10*x", {"x": 1}, "overflow", "1e308*10", "a*b overflows at a = 1e308 = 1e+308 and b = 10"),
    ("sqrt(x)", {"x": -1}, "domain", "sqrt(x)", "sqrt is defined for a >= 0, and here a = x = -1"),
    ("0*sqrt(x)", {"x": 0}, "derivative", "sqrt(x)", "the derivative of sqrt(a) by a is 1/(2*sqrt(a))"),
    ("x**(1/3)", {"x": -8}, "domain", "x**(1/3)", "a power with the exponent 0.333333 is defined for a >= 0"),
    ("x**-1", {"x": 0}, "pole", "x**-1", "a power with the exponent -1 is defined for a != 0"),
    ("asin(a)", {"a": 2}, "domain", "asin(a)", "asin is defined for -1 <= a <= 1, and here a = 2"),
    ("atanh(x)", {"x": 1}, "pole", "atanh(x)", "atanh is defined for -1 < a < 1"),
    ("y = log(x); x", {"x": 0}, "pole", "log(x)", "log is defined for a > 0, and here a = x = 0, in the node y"),
    ("x*1e200*1e200", {"x": 1e-200}, "gradient", "x", "the gradient of x overflows"),
    ("max(x, exp(x*1000), 1, 2)", {"x": 1}, "overflow", "exp(x*1000)", "exp(a) overflows"),
]


@pytest.mark.parametrize(("text", "point", "kind", "part", "message"), FAULTS, ids=lambda value: str(value)[:30])
def test_faults(text: str, point: dict[str, float], kind: str, part: str, message: str) -> None:
    with pytest.raises(MathError) as caught:
        evaluate(parse(text), point)
    error = caught.value
    assert message in error.message
    assert error.kind == kind
    assert error.span is not None
    assert text[slice(*error.span)] == part


@pytest.mark.parametrize(("text", "point", "kind", "part", "message"), FAULTS, ids=lambda value: str(value)[:30])
def test_the_flag_that_a_fault_names_lets_it_through(
    text: str, point: dict[str, float], kind: str, part: str, message: str
) -> None:
    with pytest.raises(MathError) as caught:
        evaluate(parse(text), point)
    for choice, opening in caught.value.waivers:
        evaluate(parse(text), point, Conventions(**{choice: opening}))  # type: ignore[arg-type]


def test_a_negative_base_hints_the_real_cube_root() -> None:
    with pytest.raises(MathError) as caught:
        evaluate(parse("x**(1/3)"), {"x": -8})
    assert "cbrt" in caught.value.hint


def test_all_missing_values_are_in_one_message() -> None:
    with pytest.raises(PointError, match="x, z have no value") as caught:
        evaluate(parse("x*y + z"), {"y": 1})
    assert caught.value.names == ("x", "z")


@pytest.mark.parametrize(
    ("text", "point", "message"),
    [
        ("xs*2", {"xs": 1, "xx": 1}, "no variable xx"),
        ("c = x*2; c + 1", {"x": 1, "c": 2}, "computed by the program"),
        ("c = x*2; d = c; d", {"x": 1, "d": 2}, "computed by the program"),
        ("x", {"x": float("nan")}, "not finite"),
    ],
)
def test_a_point_that_does_not_fit(text: str, point: dict[str, float], message: str) -> None:
    with pytest.raises(PointError, match=message):
        evaluate(parse(text), point)


@pytest.mark.parametrize("program", ["2x", "x + y", "log(x - 2)"])
def test_errors_survive_pickling(program: str) -> None:
    with pytest.raises(MinigradError) as caught:
        evaluate(parse(program), {"x": 1})
    for again in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert type(again) is type(caught.value)
        assert str(again) == str(caught.value)
        assert vars(again) == vars(caught.value)


def test_every_error_is_of_one_family() -> None:
    assert issubclass(LanguageError, MinigradError)
    assert issubclass(PointError, MinigradError)
    assert issubclass(MathError, MinigradError)
