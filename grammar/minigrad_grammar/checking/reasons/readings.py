"""Slips before the first derivative: the text read otherwise, degrees, another logarithm, another convention."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from minigrad.errors import MinigradError
from minigrad.rules import RULES
from minigrad_grammar.bounded import BoundedProgram, Sure
from minigrad_grammar.checking.reasons.evidence import Evidence, Guess, Witness
from minigrad_grammar.parser import parse
from minigrad_grammar.program import Kind, Program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minigrad.choices import Conventions
    from minigrad.rules import Rule


def _under(evidence: Evidence, bounded: BoundedProgram, top: int, by: int | None, text: str, hint: str) -> Guess:
    """Return the guess that another program was meant, with the same inputs."""
    program = bounded.program

    def predict(witness: Witness) -> Sure:
        old = evidence.program.inputs
        inputs = {index: witness.ran.sure(old[name]) for name, index in program.inputs.items() if name in old}
        ran = bounded.run(inputs)
        return ran.sure(top) if by is None else ran.derivative(top, by)

    return Guess(predict, text, hint)


def convention(evidence: Evidence) -> Iterator[Guess]:
    """Another convention, where one decides."""
    ran = evidence.first.ran
    below = set(evidence.checker.bounded.below(evidence.top))
    at_a_kink = {
        evidence.program.rule(index).name
        for index, told in evidence.checker.bounded.kinks
        if index in below and 0.0 in ran.sides(index, told)
    }
    for name, value, conventions in _other_conventions(evidence.checker.conventions, at_a_kink):
        bounded = BoundedProgram(evidence.program, conventions)
        flag = f"--{name.replace('_', '-')} {value}"
        text = f"a matter of convention at a kink: {flag} makes it right"
        yield _under(evidence, bounded, evidence.top, evidence.by, text, "a matter of convention at a kink")


def _other_conventions(now: Conventions, at_a_kink: set[str]) -> Iterator[tuple[str, str, Conventions]]:
    if "relu" in at_a_kink:
        for number in (0.0, 0.5, 1.0):
            yield "relu_at_zero", f"{number:g}", replace(now, relu_at_zero=number)
    if "abs" in at_a_kink:
        for number in (1.0, -1.0, 0.0):
            yield "abs_at_zero", f"{number:g}", replace(now, abs_at_zero=number)
    if at_a_kink & {"max", "min"}:
        for ties in ("first", "last", "split"):
            yield "ties", ties, replace(now, ties=ties)


def misread_precedence(evidence: Evidence) -> Iterator[Guess]:
    """The program's text with brackets where they would be if precedence were another: (-x)**2 for -x**2."""
    program, claim = evidence.program, evidence.claim
    top_names = program.names.get(claim.node, []) if claim.node != program.output else [""]
    by_names = program.names.get(claim.by, []) if claim.by is not None else [""]
    if not top_names or not by_names:
        return
    for was, meant, text in misreadings(program):
        try:
            other = parse(text, evidence.program.inputs)
        except MinigradError:
            continue
        labels = {name: index for index, names in other.names.items() for name in names}
        top = labels.get(top_names[0]) if top_names[0] else other.output
        by = labels.get(by_names[0]) if by_names[0] else None
        if top is None or (claim.by is not None and by is None):
            continue
        bounded = BoundedProgram(other, evidence.checker.conventions)
        told = f"{was} was read as {meant}"
        yield _under(evidence, bounded, top, by, told, f"which brackets are meant in {was}?")


def misreadings(program: Program) -> Iterator[tuple[str, str, str]]:
    """Yield (what was written, how it was read, the whole text with those brackets) of every likely misreading."""
    text = program.text
    for index in range(len(program)):
        for start, end in _misread_spans(program, index):
            whole = slice(program.starts[index], program.ends[index])
            read = text[whole.start : start] + "(" + text[start:end] + ")" + text[end : whole.stop]
            yield text[whole], read, text[: whole.start] + read + text[whole.stop :]


def _misread_spans(program: Program, index: int) -> Iterator[tuple[int, int]]:
    """Yield the spans that would have brackets around them, were an operation read otherwise."""
    rule, operands = program.rule(index), program.operands[index]
    start, end = program.starts[index], program.ends[index]
    if rule.name in ("neg", "mul", "div") and _is_bare_power(program, index, operands[-1]):
        # -x**2 as (-x)**2, 2*x**2 as (2*x)**2
        yield start, program.ends[program.operands[operands[-1]][0]]
    if len(operands) == 2 and rule.name in ("mul", "div", "add", "sub"):
        left = operands[0]
        name = program.rule(left).name
        pairs = {"mul": ("div",), "div": ("div",), "add": ("sub",), "sub": ("sub",)}
        if name in pairs[rule.name] and program.starts[left] == start:
            # a/b*c as a/(b*c), a - b + c as a - (b + c)
            sign = _sign_between(program, *program.operands[left])
            if sign is not None:
                yield sign + 1, end
        right = operands[1]
        if rule.name in ("add", "sub") and name in ("mul", "div") and program.starts[left] == start:
            # a*b + c as a*(b + c)
            sign = _sign_between(program, *program.operands[left])
            if sign is not None:
                yield sign + 1, end
        if rule.name in ("add", "sub") and program.rule(right).name in ("mul", "div") and program.ends[right] == end:
            # a + b*c as (a + b)*c
            yield start, program.ends[program.operands[right][0]]
    if rule.name == "pow" and program.rule(operands[1]).name == "pow" and program.ends[operands[1]] == end:
        # a**b**c as (a**b)**c
        yield start, program.ends[program.operands[operands[1]][0]]


def _is_bare_power(program: Program, index: int, operand: int) -> bool:
    """Whether the last operand of an operation is a power without brackets around it."""
    return program.rule(operand).name == "pow" and program.ends[operand] == program.ends[index]


def _sign_between(program: Program, first: int, second: int) -> int | None:
    """Return the place of the sign of a product, quotient, sum or difference of two operands."""
    for place in range(program.ends[first], program.starts[second]):
        if program.text[place] in "*/+-×·÷−":
            return place
    return None


_DEGREE = math.pi / 180.0


def degrees(evidence: Evidence) -> Iterator[Guess]:
    """A calculator in degrees."""
    forward = {name: f"{name}(a*{_DEGREE!r})" for name in ("sin", "cos", "tan")}
    inverse = {name: f"{name}(a)/{_DEGREE!r}" for name in ("asin", "acos", "atan")}
    slopes = {"sin": f"cos(a*{_DEGREE!r})", "cos": f"-sin(a*{_DEGREE!r})", "tan": "1.0 + c*c"}
    text = "the angle was taken in degrees"
    for factor in ("", f"*{_DEGREE!r}"):
        rows = {
            RULES[name]: replace(RULES[name], forward=line, partials=(f"({slopes[name]}){factor}",))
            for name, line in forward.items()
        }
        yield from _with_rows(evidence, rows, text, "radians or degrees?")
    rows = {RULES[name]: replace(RULES[name], forward=line) for name, line in inverse.items()}
    yield from _with_rows(evidence, rows, text, "radians or degrees?")


def log_base(evidence: Evidence) -> Iterator[Guess]:
    """Another logarithm than the one that is written."""
    names = ("log", "log2", "log10")
    for taken in names:
        rows = {
            RULES[name]: replace(RULES[name], forward=RULES[taken].forward, partials=RULES[taken].partials)
            for name in names
            if name != taken
        }
        base = {"log": "e", "log2": "2", "log10": "10"}[taken]
        yield from _with_rows(
            evidence, rows, f"the logarithm was taken to base {base}", "which base has the logarithm?"
        )


def _with_rows(evidence: Evidence, rows: dict[Rule, Rule], text: str, hint: str) -> Iterator[Guess]:
    """Yield the guess that other rules were used, if the program has any of the operations."""
    program = evidence.program
    if not any(program.rule(index) in rows for index in evidence.checker.bounded.below(evidence.top)):
        return
    kinds = [Kind(rows.get(kind.rule, kind.rule), kind.wanted) for kind in program.kinds]
    bounded = BoundedProgram(replace(program, kinds=kinds), evidence.checker.conventions)
    yield _under(evidence, bounded, evidence.top, evidence.by, text, hint)
