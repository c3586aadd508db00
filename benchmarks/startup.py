"""Start-up: a whole process of minigrad, as a multiple of ``python -c pass``.

python benchmarks/startup.py [RUNS]
"""

from __future__ import annotations

import shutil
import sys

from ratios import python, ratio, show, whole_process

CASES = {
    "eval --only x.grad": (["--only", "x.grad"], 7.0),
    "eval --format json": (["--format", "json"], 7.0),
    "eval (table)": ([], 9.0),
}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 31
    script = shutil.which("minigrad")
    command = [script] if script else python("-m", "minigrad")
    nothing = whole_process(python("-c", "pass"))
    for name, (options, target) in CASES.items():
        subject = whole_process([*command, "eval", "exp(x)*y", "--x", "1", "--y", "2", *options])
        show(name, ratio(subject, nothing, runs), target)


if __name__ == "__main__":
    main()
