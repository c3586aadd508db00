"""How claims are read."""

from __future__ import annotations

import pytest

from minigrad_grammar import LanguageError, parse
from minigrad_grammar.checking import read_claim

NAMED = "d = 3; dx = d*x; da = dx + d; L = da*d; L + x"


@pytest.mark.parametrize(
    ("program", "claim", "node", "by"),
    [
        ("c = a*b; c + a", "dc/da = b", "c", "a"),
        ("c = a*b; c + a", "d/da = b", "out", "a"),
        ("c = a*b; c + a", "∂c/∂a = b", "c", "a"),
        ("c = a*b; c + a", "∂/∂a=b", "out", "a"),
        ("c = a*b; c + a", "  d c / d a = b", "c", "a"),
        ("c = a*b; c + a", "d(c)/d(a) = b", "c", "a"),
        ("c = a*b; c + a", "dout/dc = 1", "out", "c"),
        ("c = a*b; c + a", "a.grad = 4", "out", "a"),
        ("c = a*b; c + a", "c.grad = 1", "out", "c"),
        ("c = a*b; c + a", "c = 6", "c", None),
        ("c = a*b; c + a", "c.data = 6", "c", None),
        ("exp(x)*y", "dv1/dx = v1", "v1", "x"),
        ("exp(x)*y", "out ＝ 1", "out", None),
        ("µ = 2; µ*x", "d/dμ = x", "out", "μ"),
        ("b = a; b*2", "d/db = 2", "out", "a"),
        # Exactly one d is taken off: names that begin with one are names.
        (NAMED, "dx = 3", "dx", None),
        (NAMED, "d = 3", "d", None),
        (NAMED, "d/dx = 1", "out", "x"),
        (NAMED, "d/ddx = 3", "out", "dx"),
        (NAMED, "ddx/dx = 3", "dx", "x"),
        (NAMED, "dda/dd = 1", "da", "d"),
        (NAMED, "dL/dda = d", "L", "da"),
        (NAMED, "dd/dd = 1", "d", "d"),
    ],
)
def test_left_sides(program: str, claim: str, node: str, by: str | None) -> None:
    read = read_claim(claim, parse(program))
    labels = read.program.labels
    assert labels[read.node] == node
    assert (None if read.by is None else labels[read.by]) == by
    assert read.read_as == (node if by is None else f"∂{node}/∂{by}")


@pytest.mark.parametrize(
    ("claim", "message", "hint", "under"),
    [
        ("d/dx", "no =", "LEFT = RIGHT", "d/dx"),
        ("d/dx == 2", "one =", "write one =", "="),
        ("c = 1 = 2", "one =", "two claims", "="),
        ("c = 1; x = 2", "one equation", "on its own", ";"),
        ("dy/dx = 2*x", "no node y", "d/dx", "dy/dx"),
        ("df/dx = 2*x", "no node f", "d/dx", "df/dx"),
        ("d/dz = 2*x", "no node z", "x", "d/dz"),
        ("d/d = 1", "by what", "d/dx", "d/d"),
        ("x/y = 1", "begins with d", "d/dx", "x/y"),
        ("f'(x) = 1", "no node", "d/dx", "f'(x)"),
        (" = 1", "no left side", "d/dx", ""),
        ("c = ", "no right side", "equal to", ""),
        ("c = 2*z", "no node z", "its names are", "z"),
        ("c = 2*(x", "", "", ""),
        ("c = foo(x)", "no function foo", "", "foo"),
        ("d2/dx2 = 2", "first derivatives", "of its own", "d2/dx2"),
        ("d²/dx² = 2", "first derivatives", "of its own", "d²/dx²"),
        ("d/dx (x^2) = 2*x", "no node", "the function is the program", "d/dx (x^2)"),
        ("cc = 2", "no node cc", "did you mean c?", "cc"),
    ],
)
def test_what_is_no_claim_is_pointed_at(claim: str, message: str, hint: str, under: str) -> None:
    with pytest.raises(LanguageError) as caught:
        read_claim(claim, parse("c = x**2; c + x"))
    assert message in caught.value.message
    assert hint in caught.value.hint
    if under:
        assert caught.value.span is not None
        assert claim[slice(*caught.value.span)] == under


def test_an_exponent_of_a_right_side_may_have_variables() -> None:
    program = parse("exp(x*log(2))")
    assert read_claim("d/dx = 2**x*log(2)", program).right.inputs
    with pytest.raises(LanguageError, match="exponent"):
        parse("2**x")


@pytest.mark.parametrize(
    ("right", "quantum"),
    [
        ("2.72", "1e-2"),
        ("-0.0012", "1e-4"),
        ("1.50e3", "1e1"),
        ("12", "1e0"),
        ("3", ""),
        ("0.3", ""),
        ("1/3", ""),
        ("2*1.5", ""),
        ("1_000.5", "1e-1"),
    ],
)
def test_decimals_of_two_digits_or_more_have_a_last_digit(right: str, quantum: str) -> None:
    assert read_claim(f"d/dx = {right}", parse("x**2")).quantum == quantum
