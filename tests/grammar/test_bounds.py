"""The running error bound, against the true errors in 200 digits: it holds, and it is not vain."""

from __future__ import annotations

import math
import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from forward import FORWARD, Dual, dual
from mpmath import mp, mpf

from minigrad.choices import Conventions
from minigrad.rules import FUNCTIONS
from minigrad_grammar import parse
from minigrad_grammar.bounded import FINE, BoundedProgram, Sure

if TYPE_CHECKING:
    from collections.abc import Iterator

UNARY = sorted({rule.name for rule in FUNCTIONS.values() if not rule.variadic})


@pytest.fixture(autouse=True)
def enough_digits() -> Iterator[None]:
    with mp.workdps(200):
        yield


def random_text(chance: random.Random, depth: int) -> str:
    """Return an expression in x and y, as Python has it too."""
    if depth == 0:
        return chance.choice(("x", "y", "x", "y", repr(round(chance.uniform(0, 9), 2)), str(chance.randrange(1, 9))))
    inner = random_text(chance, depth - 1)
    kind = chance.random()
    if kind < 0.45:
        return f"({inner} {chance.choice('+-*/')} {random_text(chance, chance.randrange(depth))})"
    if kind < 0.6:
        return f"({inner})**{chance.choice(('2', '3', '-1', '-2', '0.5', '1.5', '(1/3)', '7'))}"
    if kind < 0.65:
        return f"{chance.choice(('max', 'min'))}({inner}, {random_text(chance, depth - 1)})"
    return f"{chance.choice(UNARY)}({inner})"


def true_numbers(text: str, at: dict[str, float]) -> list[Any]:
    """Return the value and the two derivatives, by forward mode in 200 digits; literals are what is written."""
    found: list[Any] = []
    text = re.sub(r"(?<![\w.])\d+\.\d+", lambda literal: f"exactly('{literal[0]}')", text)
    for name in at:
        names = {other: Dual(number, other == name) for other, number in at.items()}
        forward = dual(eval(text, {"__builtins__": {}}, {**FORWARD, **names, "exactly": Dual}))
        if not found:
            found.append(forward.number)
        found.append(forward.slope)
    return found


def measured(count: int, seed: int) -> Iterator[tuple[str, Sure, Any]]:
    """Yield (what it is, number with its bound, truth) for random programs at random points of every size."""
    chance = random.Random(seed)
    for _ in range(count):
        text = random_text(chance, chance.randrange(1, 6))
        program = parse(text)
        bounded = BoundedProgram(program, Conventions())
        for _ in range(3):
            size = chance.choice((0, 0, 0, 1, 3))
            at = {name: chance.choice((-1, 1)) * 10 ** chance.gauss(0, 0.5 + size) for name in ("x", "y")}
            ran = bounded.run({index: Sure(at[name]) for name, index in program.inputs.items()})
            if ran.states[program.output] != FINE:
                continue
            try:
                value, *slopes = true_numbers(text, at)
            except (ArithmeticError, ValueError, TypeError):
                continue
            if any(isinstance(number, mp.mpc) for number in (value, *slopes)):
                continue
            yield f"{text} at {at}", ran.sure(program.output), value
            for name, slope in zip(at, slopes, strict=True):
                if name in program.inputs:
                    number = ran.derivative(program.output, program.inputs[name])
                    yield f"d/d{name} {text} at {at}", number, slope


def test_the_bound_holds_and_is_not_vain() -> None:
    close = total = 0
    for what, (number, bound, state), true in measured(1200, seed=1):
        if state != FINE or bound == math.inf:
            continue
        error = abs(mpf(number) - true)
        assert error <= bound, what
        if number != 0 and bound > 0:
            total += 1
            # A rounding of the result cannot be told from luck: half an ulp counts as an error always.
            close += bound <= 100 * max(error, mpf(math.ulp(number)) / 2)
    assert total > 1500
    assert close / total > 0.9
