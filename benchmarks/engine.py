"""One gradient of 10,000 operations in a fresh process: a lowered Program against closures over scalar nodes.

    python benchmarks/engine.py [RUNS]

The operations are a quarter +, a third *, and the rest tanh, relu, exp and log, each on earlier results. Both sides
build the graph forward and run it backward; parsing, imports and the program's generation are not counted. The
closures are the design that small teaching engines share: a node keeps a set of parents and a function that pushes
its gradient to them, and ``backward`` sorts the graph and calls them in turn.
"""

from __future__ import annotations

import math
import random
import sys
import time
from typing import TYPE_CHECKING

from ratios import python, ratio, reported, show

if TYPE_CHECKING:
    from collections.abc import Callable

OPERATIONS = 10_000
TARGET = 0.6


UNARY: dict[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "relu": lambda a: max(0.0, a),
    "exp": math.exp,
    "log": lambda a: math.log(a) if a > 0 else math.inf,
}
LARGEST = 10.0


def recipe(operations: int, seed: int = 1) -> list[tuple[str, int, int]]:
    """Return operations as (name, place of an operand, place of another); places 0 and 1 are the inputs, 0.5 and 1.5.

    Operands are drawn from the last 100 results, again and again until the result stays within 10.
    """
    chance = random.Random(seed)
    numbers = [0.5, 1.5]
    steps: list[tuple[str, int, int]] = []
    while len(steps) < operations:
        draw = chance.random()
        name = "add" if draw < 1 / 4 else "mul" if draw < 7 / 12 else chance.choice(tuple(UNARY))
        while True:
            left, right = (chance.randrange(max(0, len(numbers) - 100), len(numbers)) for _ in range(2))
            a, b = numbers[left], numbers[right]
            result = a + b if name == "add" else a * b if name == "mul" else UNARY[name](a)
            if abs(result) <= LARGEST:
                break
        steps.append((name, left, right))
        numbers.append(result)
    return steps


class Node:
    """A scalar with closures."""

    def __init__(self, data: float, parents: tuple[Node, ...] = ()) -> None:
        self.data = data
        self.grad = 0.0
        self._backward: Callable[[], None] = lambda: None
        self._parents = set(parents)

    def __add__(self, other: Node) -> Node:
        out = Node(self.data + other.data, (self, other))

        def push() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out

    def __mul__(self, other: Node) -> Node:
        out = Node(self.data * other.data, (self, other))

        def push() -> None:
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = push
        return out

    def unary(self, value: float, slope: float) -> Node:
        out = Node(value, (self,))

        def push() -> None:
            self.grad += slope * out.grad

        out._backward = push
        return out

    def tanh(self) -> Node:
        value = math.tanh(self.data)
        return self.unary(value, 1 - value * value)

    def relu(self) -> Node:
        return self.unary(max(0.0, self.data), float(self.data > 0))

    def exp(self) -> Node:
        value = math.exp(self.data)
        return self.unary(value, value)

    def log(self) -> Node:
        return self.unary(math.log(self.data), 1 / self.data)

    def backward(self) -> None:
        order: list[Node] = []
        seen: set[Node] = {self}
        path = [(self, iter(self._parents))]
        while path:
            node, rest = path[-1]
            for parent in rest:
                if parent not in seen:
                    seen.add(parent)
                    path.append((parent, iter(parent._parents)))
                    break
            else:
                order.append(node)
                path.pop()
        self.grad = 1.0
        for node in reversed(order):
            node._backward()


def time_closures(steps: list[tuple[str, int, int]]) -> float:
    """Return the seconds that closures take to build the graph and run it backward."""
    start = time.perf_counter()
    nodes = [Node(0.5), Node(1.5)]
    for name, left, right in steps:
        a = nodes[left]
        if name == "add":
            nodes.append(a + nodes[right])
        elif name == "mul":
            nodes.append(a * nodes[right])
        else:
            nodes.append(getattr(a, name)())
    nodes[-1].backward()
    return time.perf_counter() - start


def time_program(steps: list[tuple[str, int, int]]) -> float:
    """Return the seconds that a parsed program takes to lower and run backward."""
    from minigrad_grammar import evaluate, parse

    forms = {"add": "v{} + v{}", "mul": "v{}*v{}"}
    lines = [
        f"v{place} = {forms.get(name, name + '(v{})').format(left, right)}"
        for place, (name, left, right) in enumerate(steps, start=2)
    ]
    program = parse("\n".join(lines))
    start = time.perf_counter()
    evaluate(program, {"v0": 0.5, "v1": 1.5})
    return time.perf_counter() - start


SIDES = {"closures": time_closures, "program": time_program}


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] in SIDES:
        print(SIDES[sys.argv[1]](recipe(OPERATIONS)))
        return
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    program, closures = (reported(python(__file__, side)) for side in ("program", "closures"))
    show("program / closures", ratio(program, closures, runs), TARGET)


if __name__ == "__main__":
    main()
