"""Slips before the first derivative: the text read otherwise, degrees, another logarithm, another convention."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from minigrad.errors import MinigradError
from minigrad.rules import RULES
from minigrad_grammar.bounded import BoundedProgram
from minigrad_grammar.checking.reasons.slips import IGNORED, LONG, by_text, steps_of
from minigrad_grammar.checking.reasons.variants import under, with_rows
from minigrad_grammar.fold import fold
from minigrad_grammar.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from minigrad.choices import Conventions
    from minigrad_grammar.checking.reasons.evidence import Evidence, Guess
    from minigrad_grammar.program import Program


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
        text = "a matter of convention at a kink: another one makes it right"
        guess = under(evidence, bounded, evidence.top, evidence.by, text, "a matter of convention at a kink")
        yield guess._replace(choice=(name, value))


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
    if not top_names or not by_names or len(program) > LONG:
        return
    for was, meant, text in islice(misreadings(program), evidence.runs()):
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
        yield under(evidence, bounded, top, by, told, f"which brackets are meant in {was}?")


def misreadings(program: Program) -> Iterator[tuple[str, str, str]]:
    """Yield (what was written, how it was read, the whole text with those brackets) of every likely misreading."""
    text = program.text
    for index in range(len(program)):
        for start, end in _misread_spans(program, index):
            whole = slice(program.starts[index], program.ends[index])
            inside = text[start:end].strip()
            read = f"{text[whole.start : start]}({inside}){text[end : whole.stop]}"
            yield text[whole], read, text[: whole.start] + read + text[whole.stop :]
        for read in _misread_calls(program, index):
            whole = slice(program.starts[index], program.ends[index])
            yield text[whole], read, text[: whole.start] + read + text[whole.stop :]


def _misread_spans(program: Program, index: int) -> Iterator[tuple[int, int]]:
    """Yield the spans that would have brackets around them, were an operation read otherwise."""
    text, rule, operands = program.text, program.rule(index), program.operands[index]
    start, end = program.starts[index], program.ends[index]
    if rule.name in ("neg", "mul", "div") and _ends_with(program, index, operands[-1], ("pow",)):
        # -x**2 as (-x)**2, 2*x**2 as (2*x)**2
        yield start, _end_of_base(program, operands[-1])
    if rule.name == "pow" and _ends_with(program, index, operands[1], ("pow",)):
        # a**b**c as (a**b)**c
        yield start, _end_of_base(program, operands[1])
    if rule.name not in ("add", "sub", "mul", "div"):
        return
    left, right = operands
    inner = {"mul": ("div",), "div": ("div",), "add": ("sub", "mul", "div"), "sub": ("sub", "mul", "div")}[rule.name]
    if program.rule(left).name in inner and program.starts[left] == start:
        # a/b*c as a/(b*c), a - b + c as a - (b + c), a*b + c as a*(b + c)
        sign = _last_sign(text, start, program.ends[left], program.rule(left).name)
        if sign is not None:
            yield sign + 1, end
    if rule.name in ("add", "sub") and _ends_with(program, index, right, ("mul", "div")):
        # a + b*c as (a + b)*c
        sign = _last_sign(text, program.starts[right], end, program.rule(right).name)
        if sign is not None:
            yield start, sign


def _ends_with(program: Program, index: int, operand: int, names: Sequence[str]) -> bool:
    """Whether the last operand of an operation is one of some others, without brackets around it."""
    return program.rule(operand).name in names and program.ends[operand] == program.ends[index]


def _end_of_base(program: Program, power: int) -> int:
    """Return the place behind the base of a power."""
    exponent = program.starts[program.operands[power][1]]
    before = program.text[program.starts[power] : exponent].rstrip("(*^ \t")
    return program.starts[power] + len(before)


_SIGNS = {"add": "+", "sub": "-", "mul": "*×", "div": "/"}


def _last_sign(text: str, start: int, end: int, name: str) -> int | None:
    """Return the place of the last sign of an operation outside brackets in a piece of text."""
    folded = fold(text)
    depth, found = 0, None
    for place in range(start, end):
        character = folded[place]
        depth += (character == "(") - (character == ")")
        power = character == "*" and "*" in (folded[place - 1 : place], folded[place + 1 : place + 2])
        if depth == 0 and character in _SIGNS[name] and not power and _is_binary(folded, start, place):
            found = place
    return found


def _is_binary(folded: str, start: int, place: int) -> bool:
    """Whether a sign stands between two operands, and not before one or in a number."""
    before = folded[start:place].rstrip()
    in_a_number = before == folded[start:place] and re.search(r"\d\.?[eE]$", before) is not None
    return before[-1:] not in ("", *"+-*/^(,×") and not in_a_number


def _misread_calls(program: Program, index: int) -> Iterator[str]:
    """Yield how a call may be read that takes only a part of what is in its brackets: cos(2)*x for cos(2*x)."""
    rule = program.rule(index)
    operand = program.operands[index][0] if program.operands[index] else None
    if operand is None or not rule.is_function or rule.name in IGNORED:
        return
    name = program.rule(operand).name
    start, end = program.starts[index], program.ends[index]
    inside = program.text.find("(", start, end) + 1
    if name in _SIGNS and inside:
        sign = _last_sign(program.text, inside, end - 1, name)
        if sign is not None:
            yield f"({program.text[start:sign].rstrip()}) {program.text[sign : end - 1]})"


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
        yield from with_rows(evidence, rows, text, "radians or degrees?")
    rows = {RULES[name]: replace(RULES[name], forward=line) for name, line in inverse.items()}
    yield from with_rows(evidence, rows, text, "radians or degrees?")


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
        text = f"the logarithm was taken to base {base}"
        yield from with_rows(evidence, rows, text, "which base has the logarithm?")
        rows = {rule: replace(rule, forward=row.forward) for rule, row in rows.items()}
        yield from with_rows(evidence, rows, text, "which base has the logarithm?")
    for name, edges in steps_of(evidence, names).items():
        for slope in ("1.0/a", "LOG2_E/a", "LOG10_E/a", "log(10.0)/a", "log(2.0)/a"):
            text = f"the base of the logarithm in the derivative of {name}, in {{}}"
            yield from by_text(evidence, edges, slope, text, "which base has the logarithm?")
