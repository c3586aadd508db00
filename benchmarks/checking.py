"""Checking: the cost of a claim among a thousand beside one among ten, and that of a claim beside an evaluation.

python benchmarks/checking.py [RUNS]
"""

from __future__ import annotations

import sys
import time
from functools import partial

from minigrad import Conventions
from minigrad_grammar import evaluate, parse
from minigrad_grammar.checking import Checker, read_claim
from ratios import ratio, show

PROGRAM = parse("z = w*x + b; h = tanh(z); L = (h - y)**2")
RIGHT = "dL/dw = 2*(h - y)*(1 - h**2)*x"
WRONG = "dL/dw = 2*(h - y)*x"
POINT = {"w": 0.5, "x": 2.0, "b": -0.3, "y": 1.0}


def seconds_a_claim(count: int, text: str) -> float:
    """Return the time of a claim among ``count`` of them about one program."""
    checker = Checker(PROGRAM, Conventions())
    start = time.perf_counter()
    for _ in range(count):
        checker.check(read_claim(text, PROGRAM))
    return (time.perf_counter() - start) / count


def seconds_an_evaluation() -> float:
    """Return the time of an evaluation of the program, with its gradient."""
    start = time.perf_counter()
    for _ in range(1000):
        evaluate(PROGRAM, POINT)
    return (time.perf_counter() - start) / 1000


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, text in (("right", RIGHT), ("wrong", WRONG)):
        many, few = partial(seconds_a_claim, 1000, text), partial(seconds_a_claim, 10, text)
        show(f"{name}: 1000 beside 10", ratio(many, few, runs), 1.1)
        show(
            f"{name}: beside evaluations",
            ratio(partial(seconds_a_claim, 30, text), seconds_an_evaluation, runs),
            2000.0,
        )


if __name__ == "__main__":
    main()
