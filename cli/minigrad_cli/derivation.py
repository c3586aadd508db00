"""A backward pass told in lines: what trace prints in every format that people read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from minigrad.rules import RULES
from minigrad_cli.flags import flag
from minigrad_cli.numbers import rounded
from minigrad_cli.words import BACKWARD, CHECK, CHECK_BY_HAND, FORWARD, RESULT, meaning, say
from minigrad_grammar.differences import (
    AGREES,
    BEYOND_A_KINK,
    BLIND,
    CURVED,
    DIFFERS,
    KINK,
    LOST,
    OUTSIDE,
    checks,
)
from minigrad_grammar.paths import factor
from minigrad_grammar.program import INPUT, substitute
from minigrad_grammar.tracing import backward_steps, unused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from minigrad_cli.report import Local, Report, Row
    from minigrad_grammar.differences import Check, Quotient
    from minigrad_grammar.tracing import Contribution, Step

MOST_LISTED = 8
"""So many operands or users are named in one line; of more, the number is told."""


class Line(NamedTuple):
    """A line, and what is remarked on it."""

    text: str
    remark: str = ""


class Section(NamedTuple):
    """A heading, why it is its turn, and lines."""

    title: str
    lines: list[Line]
    why: str = ""


class Gaps:
    """What stands for the numbers that a reader of a worksheet is to find, numbered from 1.

    Args:
        fill: gives the text of a gap from its number and what belongs there; None if there are to be no gaps.
    """

    def __init__(self, fill: Callable[[int, str], str] | None = None) -> None:
        self._fill = fill
        self._number = 0

    @property
    def wanted(self) -> bool:
        """Whether this is a worksheet, or the key to one."""
        return self._fill is not None

    def __call__(self, text: str) -> str:
        """Return a text, or the next gap for it."""
        if self._fill is None:
            return text
        self._number += 1
        return self._fill(self._number, text)


@dataclass
class Derivation:
    """A backward pass, its steps and the check of its result, with the numbers as they are shown.

    Attributes:
        report: the evaluation's.
        digits: how many significant digits are shown.
        gap: what stands for the numbers to find.
        named: writes a node's name.
        quoted: writes a sentence with text of the user's in it.
    """

    report: Report
    digits: int
    gap: Gaps
    named: Callable[[str], str] = str
    quoted: Callable[[str], str] = str

    @cached_property
    def steps(self) -> list[Step]:
        """The steps of the backward pass."""
        return backward_steps(self.report.evaluation)

    @cached_property
    def checks(self) -> list[Check]:
        """The check of each input's gradient."""
        return list(checks(self.report.evaluation))

    @cached_property
    def rows(self) -> dict[int, Row]:
        """The row of each node, by its instruction."""
        return dict(zip(self.report.evaluation.program.nodes, self.report.rows, strict=True))

    @property
    def output(self) -> str:
        """The output's name, as it is written."""
        return self.name(self.report.evaluation.program.output)

    def name(self, index: int) -> str:
        """Return a node's name, as it is written."""
        return self.named(self.rows[index].name)

    def number(self, number: float) -> str:
        """Return a number as it is shown."""
        return rounded(number, self.digits)

    def bracketed(self, number: float) -> str:
        """Return a number as it stands in a sum or a product."""
        return bracketed(self.number(number))

    def slope(self, row: Row, local: Local) -> str:
        """Return the formula of a local derivative; its number, where a convention has decided."""
        return self.number(local.value) if row.decided else local.formula

    def local(self, part: Contribution, node: int) -> Local:
        """Return the local derivative of a contribution of a node."""
        return self.rows[node].local[part.place]

    def numbers(self, row: Row, index: int) -> str:
        """Return an operation over the numbers of its operands: 2 * 3; "" where that says nothing more."""
        program, data = self.report.evaluation.program, self.report.evaluation.data
        rule = program.rule(index)
        if not rule.operands:
            return ""
        texts = [self.bracketed(data[operand]) for operand in program.operands[index]]
        if rule.variadic:
            shown = texts if len(texts) <= MOST_LISTED else [*texts[:MOST_LISTED], "..."]
            written = f"{rule.name}({', '.join(shown)})"
        elif rule.is_function:
            written = f"{rule.name}({self.number(data[program.operands[index][0]])})"
        else:
            written = substitute(spaced(rule.formula), dict(zip(rule.operands, texts, strict=True)))
        return "" if written in (row.expression, self.number(row.data)) else written


def spaced(formula: str) -> str:
    """Return a formula of the table of rules with spaces around a sign of multiplication or division: a * b."""
    return {RULES[name].formula: f"a {RULES[name].symbol} b" for name in ("mul", "div")}.get(formula, formula)


def bracketed(number: str) -> str:
    """Return a number as it stands in a sum or a product: in brackets where it has a sign."""
    return f"({number})" if number.startswith("-") else number


def listed(names: Sequence[str]) -> str:
    """Return "c, a"; of many names the first ones, and how many more there are."""
    if len(names) <= MOST_LISTED:
        return ", ".join(names)
    return say("more", some=", ".join(names[:MOST_LISTED]), number=len(names) - MOST_LISTED)


def sections(derivation: Derivation) -> Iterator[Section]:
    """Yield the whole derivation: forward, the seed, each step, the result, the check."""
    yield Section(FORWARD, list(_forward(derivation)))
    yield Section(BACKWARD, [])
    one = derivation.gap(derivation.number(1.0))
    seed = say("seed", output=derivation.output, one=one)
    yield Section(f"Step 0: {seed}", [], say("seed_why", output=derivation.output))
    for number, step in enumerate(derivation.steps, start=1):
        yield _step(derivation, number, step)
    yield Section(RESULT, list(_result(derivation)))
    if not derivation.report.evaluation.inputs:
        return
    if not derivation.gap.wanted:
        yield Section(CHECK, list(by_a_step(derivation)))
    yield Section(CHECK_BY_HAND, list(by_hand(derivation)))


def _forward(derivation: Derivation) -> Iterator[Line]:
    for index, row in derivation.rows.items():
        data = derivation.number(row.data)
        name = " = ".join([row.name, *row.aliases])
        if derivation.report.evaluation.program.rule(index) is INPUT or row.expression == data:
            yield Line(say("input", node=name, data=data))
            continue
        middle = "" if derivation.gap.wanted else derivation.numbers(row, index)
        expressions = f"{row.expression} = {middle}" if middle else row.expression
        text = say("operation", node=name, expression=expressions, data=derivation.gap(data))
        yield Line(text, ", ".join(_slopes(derivation, row)) + "".join(f" [{number}]" for number in row.notes))


def _slopes(derivation: Derivation, row: Row) -> Iterator[str]:
    """Yield a node's local derivatives, as formula and number."""
    for local in row.local[:MOST_LISTED]:
        texts = dict.fromkeys((derivation.slope(row, local), derivation.number(local.value)))
        yield say("slope", node=row.name, operand=local.wrt, slope=" = ".join(map(derivation.gap, texts)))
    if len(row.local) > MOST_LISTED:
        yield f"and {len(row.local) - MOST_LISTED} more"


def heading(derivation: Derivation, step: Step) -> str:
    """Return from which node to which operands a step goes."""
    targets = [*dict.fromkeys(derivation.name(part.target) for part in step.contributions)]
    template = "heading" if len(targets) == 1 else "heading_many"
    return say(template, node=derivation.name(step.node), operands=listed(targets))


def why_now(derivation: Derivation, step: Step) -> str:
    """Return why it is a node's turn."""
    name = derivation.name(step.node)
    if not step.users:
        return say("turn_first", node=name)
    return say("turn", node=name, users=listed([derivation.name(user) for user in step.users]))


def place_among(part: Contribution) -> str:
    """Return which of the contributions to its operand one is."""
    if part.of == 1:
        return say("only")
    return say("first" if part.ordinal == 1 else "later", ordinal=part.ordinal, of=part.of)


def _step(derivation: Derivation, number: int, step: Step) -> Section:
    lines = [_contribution(derivation, step, part) for part in step.contributions]
    return Section(f"Step {number}: {heading(derivation, step)}", lines, why_now(derivation, step))


def _contribution(derivation: Derivation, step: Step, part: Contribution) -> Line:
    row = derivation.rows[step.node]
    local = derivation.local(part, step.node)
    product = derivation.number(part.product)
    if derivation.gap.wanted:
        slope = say("by", node=row.name, operand=local.wrt)
        text = say("contribution", target=local.wrt, node=row.name, local=slope, product=derivation.gap(product))
    else:
        numbers = say("product", upstream=derivation.bracketed(step.upstream), slope=derivation.bracketed(part.local))
        text = say(
            "contribution",
            target=local.wrt,
            node=row.name,
            local=factor(derivation.slope(row, local)),
            product=f"{numbers} = {product}",
        )
    total = derivation.gap(derivation.number(part.total))
    if part.ordinal > 1 and not derivation.gap.wanted:
        before = derivation.number(part.before)
        total = say("sum", before=before, product=derivation.bracketed(part.product), total=total)
    return Line(text, f"{say('total', target=local.wrt, total=total)}, {place_among(part)}")


def _result(derivation: Derivation) -> Iterator[Line]:
    arrived: dict[int, list[float]] = {}
    for step in derivation.steps:
        for part in step.contributions:
            arrived.setdefault(part.target, []).append(part.product)
    left_out = unused(derivation.report.evaluation)
    for name, index in derivation.report.evaluation.program.inputs.items():
        if index in left_out:
            continue
        grad = derivation.number(derivation.rows[index].grad)
        parts = arrived.get(index, [])
        total = derivation.gap(grad)
        if 1 < len(parts) <= MOST_LISTED and not derivation.gap.wanted:
            first, *rest = parts
            total = f"{' + '.join([derivation.number(first), *map(derivation.bracketed, rest)])} = {grad}"
        # What the number means, would give it away.
        remark = "" if derivation.gap.wanted else meant(derivation, index)
        yield Line(say("total", target=name, total=total), remark)
    for index in left_out:
        yield Line(say("unused", node=derivation.name(index), output=derivation.output))
    if not derivation.report.evaluation.inputs:
        yield Line(say("no_inputs", output=derivation.output))


def meant(derivation: Derivation, index: int) -> str:
    """Return what a node's gradient says, in words."""
    gradient = derivation.number(derivation.rows[index].grad)
    texts = {"node": derivation.name(index), "output": derivation.output, "times": gradient.lstrip("-")}
    return say(meaning(gradient), **texts)


def by_a_step(derivation: Derivation) -> Iterator[Line]:
    """Yield the check of each gradient by a step."""
    for check in derivation.checks:
        quotients = [_quotient(derivation, check.input, quotient) for quotient in check.quotients]
        *others, last = quotients or [say("no_step", node=derivation.name(check.input))]
        yield from map(Line, others)
        yield Line(last, verdict(derivation, check))
    rest = len(derivation.report.evaluation.program.inputs) - len(derivation.checks)
    if rest:
        yield Line(say("not_checked", number=rest))


def _quotient(derivation: Derivation, index: int, quotient: Quotient) -> str:
    name = derivation.name(index)
    step = f"{max(quotient.left, quotient.right):.3g}"
    sign = "±" if quotient.left and quotient.right else "+" if quotient.right else "-"
    slope = derivation.number(quotient.slope)
    return say("quotient", moved=f"{name} {sign} {step}", slope=slope, error=f"{quotient.error:.2g}")


def verdict(derivation: Derivation, check: Check) -> str:
    """Return what the check of a gradient says."""
    row = derivation.rows[check.input]
    texts = {"node": derivation.name(check.input), "grad": derivation.number(row.grad)}
    if check.verdict == KINK:
        choices = dict.fromkeys(flag(choice) for choice in _choices(derivation, check.kinks))
        by = derivation.quoted(f" ({', '.join(choices)})") if choices else ""
        return say("check_kink", kinks=_kinks(derivation, check.kinks), by=by, **texts)
    return say({AGREES: "check_agrees", DIFFERS: "check_differs", BLIND: "check_blind"}[check.verdict], **texts)


def _choices(derivation: Derivation, kinks: Sequence[int]) -> list[str]:
    """Return the conventions that decide at some kinks."""
    program = derivation.report.evaluation.program
    return [remark.choice for index in kinks for remark in program.rule(index).remarks if remark.choice]


def _kinks(derivation: Derivation, kinks: Sequence[int]) -> str:
    return listed([f"{derivation.name(index)} ({derivation.rows[index].op})" for index in kinks])


def by_hand(derivation: Derivation) -> Iterator[Line]:
    """Yield the check of each gradient by a whole 1, and why it gives something else where it does."""
    for check in derivation.checks:
        row, whole = derivation.rows[check.input], check.whole
        start, moved = derivation.number(row.data), derivation.number(whole.moved)
        text = say("moved", node=derivation.name(check.input), start=start, moved=moved)
        if whole.reason == OUTSIDE:
            yield Line(text, say("outside", output=derivation.output, why=derivation.quoted(whole.why)))
            continue
        numbers = derivation.report.evaluation.value, whole.value, whole.change
        before, after, change = map(derivation.gap, map(derivation.number, numbers))
        text += say("changes", output=derivation.output, before=before, after=after, change=change)
        yield Line(text, "" if derivation.gap.wanted else _why_by_hand(derivation, check))


def _why_by_hand(derivation: Derivation, check: Check) -> str:
    row, whole = derivation.rows[check.input], check.whole
    template = {AGREES: "whole_agrees", CURVED: "whole_curved", LOST: "whole_lost", BEYOND_A_KINK: "whole_kink"}
    kinks = _kinks(derivation, whole.kinks)
    return say(template[whole.reason], node=derivation.name(check.input), grad=derivation.number(row.grad), kinks=kinks)
