"""Reasons."""

from __future__ import annotations

from typing import Any


def explain(checker: Any, case: Any, finding: Any) -> None:
    pass
