r"""A backward pass as an aligned derivation in LaTeX, to be pasted into a document; it needs the package amsmath."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_cli.derivation import (
    MOST_LISTED,
    Derivation,
    by_a_step,
    by_hand,
    heading,
    meant,
    place_among,
    why_now,
)
from minigrad_cli.views.cells import footnotes
from minigrad_cli.views.latex import aligned, escaped, tex, tex_names, tex_number
from minigrad_cli.words import BACKWARD, CHECK, CHECK_BY_HAND, FORWARD, RESULT
from minigrad_grammar.paths import is_sum
from minigrad_grammar.program import INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from minigrad_cli.derivation import Gaps, Line
    from minigrad_cli.report import Local, Report, Row
    from minigrad_grammar.tracing import Contribution, Step

FILLS: dict[str, Callable[[int, str], str]] = {
    "--blank": lambda number, _: rf"\ensuremath{{\underset{{({number})}}{{\underline{{\hspace{{3em}}}}}}}}",
    "--answers": lambda number, text: rf"\ensuremath{{\underset{{({number})}}{{\boxed{{{text}}}}}}}",
}
"""How the gaps of a worksheet look, and those of its key."""


def latex(report: Report, digits: int, gap: Gaps) -> str:
    """Return the derivation: a paragraph and an align* environment a step; arguments as for ``Derivation``."""
    names = tex_names([part for row in report.rows for part in _names(row)])
    derivation = Derivation(report, digits, gap, lambda name: f"${names[name]}$", escaped)
    written = _Written(derivation, names)
    parts = [
        r"% \usepackage{amsmath}",
        _paragraph(FORWARD),
        aligned(written.forward()),
        _paragraph(BACKWARD),
        aligned(written.seed()),
    ]
    for number, step in enumerate(derivation.steps, start=1):
        title = f"Step {number}: {heading(derivation, step)}"
        parts += [_paragraph(title, why_now(derivation, step)), aligned(written.step(step))]
    parts += [_paragraph(RESULT), aligned(written.result())]
    if not gap.wanted:
        parts += [_paragraph(CHECK), _items(by_a_step(derivation))]
    parts += [_paragraph(CHECK_BY_HAND), _items(by_hand(derivation))]
    parts += [escaped(note) + "\n" for note in footnotes(report)]
    return "\n".join(parts)


def _names(row: Row) -> list[str]:
    return [row.name, *row.aliases]


def _paragraph(title: str, why: str = "") -> str:
    """Return a paragraph of its own; both texts are LaTeX already."""
    return rf"\medskip\noindent\textbf{{{title}}}{f' --- {why}' if why else ''}"


def _items(lines: Iterable[Line]) -> str:
    """Return lines as a list; nothing for none, which LaTeX refuses."""
    body = "".join(rf"  \item {line.text}{f' --- {line.remark}' if line.remark else ''}" + "\n" for line in lines)
    return f"\\begin{{itemize}}\n{body}\\end{{itemize}}\n" if body else ""


class _Written:
    """The derivation's lines in math mode.

    Args:
        derivation: with gaps or without.
        names: the name of every node in math mode.
    """

    def __init__(self, derivation: Derivation, names: dict[str, str]) -> None:
        self._derivation = derivation
        self._names = names
        program = derivation.report.evaluation.program
        self._output = program.labels[program.output]

    def _gradient(self, node: str) -> str:
        """Return the derivative of the output by a node."""
        return self._by(self._output, node)

    def _by(self, node: str, operand: str) -> str:
        return rf"\frac{{\partial {self._names[node]}}}{{\partial {self._names[operand]}}}"

    def _number(self, number: float) -> str:
        return tex_number(number, self._derivation.digits)

    def _bracketed(self, number: float) -> str:
        text = self._number(number)
        return rf"\left({text}\right)" if text.startswith("-") else text

    def forward(self) -> list[str]:
        """Return each node's value, and its local derivatives."""
        derivation = self._derivation
        lines = []
        for index, row in derivation.rows.items():
            data = self._number(row.data)
            name = " = ".join(self._names[part] for part in _names(row))
            if derivation.report.evaluation.program.rule(index) is INPUT or row.expression == data:
                lines.append(f"{name} &= {data}")
                continue
            parts = [tex(row.expression, self._names), *self._numbers(row, index), derivation.gap(data)]
            slopes = [self._slope(row, local) for local in row.local[:MOST_LISTED]]
            slopes += [r"\ldots"] if len(row.local) > MOST_LISTED else []
            marks = "".join(rf"\ [{number}]" for number in row.notes)
            lines.append(f"{name} &= {' = '.join(parts)}" + (" && " + r",\ ".join(slopes) if slopes else "") + marks)
        return lines

    def _numbers(self, row: Row, index: int) -> list[str]:
        """Return an operation over the numbers of its operands, where that says more and can be written."""
        written = "" if self._derivation.gap.wanted else self._derivation.numbers(row, index)
        return [tex(written)] if written and not any(text in written for text in ("...", "inf", "nan")) else []

    def _slope(self, row: Row, local: Local) -> str:
        texts = dict.fromkeys((self._formula(row, local), self._number(local.value)))
        return f"{self._by(row.name, local.wrt)} = {' = '.join(map(self._derivation.gap, texts))}"

    def _formula(self, row: Row, local: Local) -> str:
        return self._number(local.value) if row.decided else tex(local.formula, self._names)

    def seed(self) -> list[str]:
        """Return the gradient that the output begins with."""
        return [f"{self._gradient(self._output)} &= {self._derivation.gap('1')}"]

    def step(self, step: Step) -> list[str]:
        """Return the contributions of a step."""
        return [self._contribution(step, part) for part in step.contributions]

    def _contribution(self, step: Step, part: Contribution) -> str:
        gap = self._derivation.gap
        row, local = self._derivation.rows[step.node], self._derivation.local(part, step.node)
        product, total = self._number(part.product), self._number(part.total)
        if gap.wanted:
            right = f"{self._by(row.name, local.wrt)} = {gap(product)}"
        else:
            formula = self._formula(row, local)
            loose = formula.startswith("-") or (not row.decided and is_sum(local.formula))
            factor = rf"\left({formula}\right)" if loose else formula
            numbers = rf"{self._bracketed(step.upstream)} \cdot {self._bracketed(part.local)}"
            right = f"{factor} = {numbers} = {product}"
        if part.ordinal > 1 and not gap.wanted:
            total = f"{self._number(part.before)} + {self._bracketed(part.product)} = {total}"
        target = self._gradient(local.wrt)
        # The sum of one contribution says nothing new, and the line is long.
        so_far = rf"{target} = {gap(total)}\ " if part.of > 1 or gap.wanted else ""
        return (
            rf"{target} &\mathrel{{+}}= {self._gradient(row.name)} \cdot {right}"
            rf" && {so_far}\text{{({place_among(part)})}}"
        )

    def result(self) -> list[str]:
        """Return each gradient, and what it means."""
        derivation = self._derivation
        lines = []
        for name, index in derivation.report.evaluation.program.inputs.items():
            grad = derivation.gap(self._number(derivation.rows[index].grad))
            words = "" if derivation.gap.wanted else rf" && \text{{{meant(derivation, index)}}}"
            lines.append(f"{self._gradient(name)} &= {grad}{words}")
        return lines
