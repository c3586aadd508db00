"""Checking a claim in one line, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minigrad.choices import Conventions
from minigrad_grammar import parse
from minigrad_grammar.bounded import BoundedProgram, Sure
from minigrad_grammar.checking import Checker, Finding, read_claim

if TYPE_CHECKING:
    from collections.abc import Mapping


def found(program: str, claim: str, point: Mapping[str, float | str] | None = None, **more: Any) -> Finding:
    """Return what is found out about a claim; ``more`` are conventions, and ``rel_tol``. Numbers may be texts."""
    rel_tol = more.pop("rel_tol", None)
    parsed = parse(program, point or {})
    given = {name: _constant(str(number)) for name, number in (point or {}).items()}
    checker = Checker(parsed, Conventions(**more), given, rel_tol)
    return checker.check(read_claim(claim, parsed))


def _constant(text: str) -> Sure:
    program = parse(text)
    return BoundedProgram(program, Conventions()).run({}).sure(program.output)


def codes(finding: Finding) -> list[str]:
    """Return the codes of all reasons of a finding."""
    return [reason.code for reason in (*finding.reasons, *finding.also_possible)]
