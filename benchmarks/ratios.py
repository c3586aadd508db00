"""Timing by ratios: two things measured in turn, many times, so that a noisy machine disturbs both alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def whole_process(command: Sequence[str], stdin: bytes = b"") -> Callable[[], float]:
    """Return a measurement of a command as a fresh process, in seconds, with .pyc files written and used."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPROFILEIMPORTTIME")
    }

    def measure() -> float:
        start = time.perf_counter()
        subprocess.run(command, input=stdin, stdout=subprocess.DEVNULL, env=environment, check=True)
        return time.perf_counter() - start

    return measure


def reported(command: Sequence[str]) -> Callable[[], float]:
    """Return a measurement that a fresh process makes of itself and prints, in seconds."""

    def measure() -> float:
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return measure


def ratio(subject: Callable[[], float], yardstick: Callable[[], float], runs: int) -> tuple[float, float, float]:
    """Return the least, the median and the greatest ratio of two measurements taken in turn, after one warm-up each."""
    subject()
    yardstick()
    ratios = sorted(subject() / yardstick() for _ in range(runs))
    return ratios[0], statistics.median(ratios), ratios[-1]


def show(name: str, measured: tuple[float, float, float], target: float) -> None:
    """Print a line of a benchmark: the median ratio, its range, and what it should not exceed."""
    least, median, greatest = measured
    print(f"{name:<28} {median:6.2f}  ({least:.2f} to {greatest:.2f})  target {target}")


def python(*arguments: str) -> list[str]:
    """Return the command that runs this Python with arguments."""
    return [sys.executable, *arguments]
