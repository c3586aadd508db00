"""Time and memory in proportion to the length: each program at one length and at twice that, parsed, run, printed.

python benchmarks/linear.py [LENGTH]
"""

from __future__ import annotations

import resource
import sys
from typing import TYPE_CHECKING

from ratios import python, ratio, show, whole_process

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPES: dict[str, Callable[[int], str]] = {
    "nested brackets": lambda length: "(" * length + "x" + ")" * length,
    "a long sum": lambda length: " + ".join(["x"] * length),
    "a chain of functions": lambda length: "sin(" * length + "x" + ")" * length,
    "many statements": lambda length: "\n".join(f"a{number} = x + {number}" for number in range(length)),
}
RUNS = 3
TARGET = 2.3
COMMAND = python("-m", "minigrad", "eval", "-", "--x", "0.5", "--only", "value", "--only", "x.grad")


def main() -> None:
    length = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    for name, shape in SHAPES.items():
        twice, once = (whole_process(COMMAND, shape(size).encode()) for size in (2 * length, length))
        show(name, ratio(twice, once, RUNS), TARGET)
    # The greatest of all the processes above: the interpreter itself, and the longest program.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(f"{'peak memory, bytes a node':<28} {peak / (2 * length):6.0f}  target 1500")


if __name__ == "__main__":
    main()
