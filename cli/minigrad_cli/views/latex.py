"""The table in LaTeX, to paste into a document; it needs no package."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from minigrad.rules import RULES
from minigrad_cli.numbers import rounded
from minigrad_cli.views.cells import footnotes
from minigrad_grammar import LanguageError, parse
from minigrad_grammar.names import CONSTANTS
from minigrad_grammar.program import CONSTANT, INPUT

if TYPE_CHECKING:
    from collections.abc import Collection

    from minigrad_cli.report import Report, Row
    from minigrad_grammar import Program

_GREEK = """
    α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho
    σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega
    Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega
""".split()
_LETTERS = dict(zip(_GREEK[::2], _GREEK[1::2], strict=True))
"""The Greek letters for which LaTeX has a command, and its name."""

# LaTeX's own name of a function, where it has one; the rest are set upright.
_FUNCTIONS = {name: f"\\{name}" for name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "max", "min")}
_FUNCTIONS |= {"asin": "\\arcsin", "acos": "\\arccos", "atan": "\\arctan"}
_FUNCTIONS |= {"log": "\\ln", "log2": "\\log_{2}", "log10": "\\log_{10}"}

# How tightly a piece holds together: a sum, a product, a fraction or a power, one thing.
_SUM, _PRODUCT, _POWER, _ATOM = range(4)


class _Piece(NamedTuple):
    tex: str
    binding: int

    def at_least(self, binding: int) -> str:
        """Return the piece, in brackets unless it holds together at least so tightly."""
        return self.tex if self.binding >= binding else f"\\left({self.tex}\\right)"


def latex(report: Report, digits: int) -> str:
    """Return the report as a tabular environment, with numbers rounded to so many significant digits."""
    # Names of constants that are variables here.
    names = [name for row in report.rows for name in (row.name, *row.aliases) if name in CONSTANTS]
    lines = [
        r"\begin{tabular}{llrrl}",
        r"\hline",
        r"node & expression & data & grad & local derivative \\",
        r"\hline",
        *(line for row in report.rows for line in _lines(row, names, digits)),
        r"\hline",
        r"\end{tabular}",
        *(f"\n{_escaped(note)}" for note in footnotes(report)),
    ]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Return a sentence as LaTeX has it."""
    commands = {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}", "<": "$<$", ">": "$>$", "|": "$|$"}
    commands |= {character: f"\\{character}" for character in "&%$#_{}"}
    return "".join(commands.get(character, character) for character in text)


def _lines(row: Row, names: Collection[str], digits: int) -> list[str]:
    local = [
        f"$\\partial/\\partial {tex_name(one.wrt)} = {_equal(tex(one.formula, names), tex_number(one.value, digits))}$"
        for one in row.local
    ] or [""]
    local[-1] += "".join(f" [{number}]" for number in row.notes)
    name = ", ".join(f"${tex_name(part)}$" for part in (row.name, *row.aliases))
    numbers = f"${tex_number(row.data, digits)}$ & ${tex_number(row.grad, digits)}$"
    first = f"{name} & ${tex(row.expression, names)}$ & {numbers} & {local[0]} \\\\"
    return [first, *(f" & & & & {line} \\\\" for line in local[1:])]


def _equal(formula: str, number: str) -> str:
    return number if formula == number else f"{formula} = {number}"


def tex_number(number: float, digits: int) -> str:
    r"""Return a rounded number in math mode: 2.71828, 8.35 \times 10^{-8}, \infty."""
    mantissa, e, exponent = rounded(number, digits).partition("e")
    mantissa = mantissa.replace("inf", r"\infty").replace("nan", r"\mathrm{nan}")
    return f"{mantissa} \\times 10^{{{int(exponent)}}}" if e else mantissa


def tex_name(name: str) -> str:
    r"""Return a name in math mode: x_{1} for x1 and x_1, \alpha for alpha and α, upright for whole words."""
    stem, index = re.fullmatch(r"(.*?)_?(\d*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    if "_" in stem.strip("_"):
        stem, _, rest = stem.partition("_")
        index = f"{rest}{index}"
    stem = _LETTERS.get(stem, stem)
    if stem in _LETTERS.values():
        body = f"\\{stem}"
    else:
        escaped = stem.replace("_", r"\_")
        body = escaped if len(stem) == 1 and stem != "_" else f"\\mathrm{{{escaped}}}"
    subscript = index.replace("_", r"\_")
    return f"{body}_{{{subscript}}}" if index else body


def tex(expression: str, names: Collection[str] = ()) -> str:
    """Return an expression of the language in math mode.

    Args:
        expression: an expression, or a formula of the table of rules that goes by cases ("1 if x > 0 else 0").
        names: names that are variables even where a constant has that name.
    """
    if expression.lstrip("-").isdigit():
        return expression
    try:
        program = parse(expression, names)
    except LanguageError:
        cases = re.fullmatch(r"(\S+) if (.*) else (\S+)", expression)
        if cases is None:
            raise
        return rf"{cases[1]}\ \mathrm{{if}}\ {_condition(cases[2])},\ \mathrm{{else}}\ {cases[3]}"
    pieces: list[_Piece] = []
    for index in range(len(program)):
        pieces.append(_piece(program, index, pieces))
    return pieces[program.output].tex


def _condition(text: str) -> str:
    return " ".join(
        tex_name(word) if word.isidentifier() and word not in ("is", "the") else word for word in text.split()
    )


def _piece(program: Program, index: int, pieces: list[_Piece]) -> _Piece:
    rule = program.rule(index)
    if rule is CONSTANT:
        return _Piece(_constant(program.constant_text(index)), _ATOM)
    operands = [pieces[operand] for operand in program.operands[index]]
    if rule is INPUT:
        return _Piece(tex_name(program.names[index][0]), _ATOM)
    if rule.symbol:
        return _operator(rule.name, operands)
    inner = ", ".join(operand.tex for operand in operands)
    if rule is RULES["sqrt"]:
        return _Piece(f"\\sqrt{{{inner}}}", _ATOM)
    if rule is RULES["cbrt"]:
        return _Piece(f"\\sqrt[3]{{{inner}}}", _ATOM)
    if rule is RULES["abs"]:
        return _Piece(f"\\left|{inner}\\right|", _ATOM)
    function = _FUNCTIONS.get(rule.name, f"\\mathrm{{{rule.name}}}")
    return _Piece(f"{function}\\left({inner}\\right)", _POWER)


def _constant(text: str) -> str:
    if text[:1].isdigit() or text[:1] == ".":
        mantissa, e, exponent = text.replace("_", "").lower().partition("e")
        return f"{mantissa} \\times 10^{{{int(exponent)}}}" if e else mantissa
    return r"\mathrm{e}" if text == "e" else tex_name(text)


def _operator(name: str, operands: list[_Piece]) -> _Piece:
    left, right = operands[0], operands[-1]
    if name == "add":
        return _Piece(f"{left.tex} + {right.tex}", _SUM)
    if name == "sub":
        return _Piece(f"{left.tex} - {right.at_least(_PRODUCT)}", _SUM)
    if name == "mul":
        return _Piece(f"{left.at_least(_PRODUCT)} \\cdot {right.at_least(_PRODUCT)}", _PRODUCT)
    if name == "div":
        return _Piece(f"\\frac{{{left.tex}}}{{{right.tex}}}", _POWER)
    if name == "pow":
        return _Piece(f"{left.at_least(_ATOM)}^{{{right.tex}}}", _POWER)
    if name == "neg":
        return _Piece(f"-{right.at_least(_PRODUCT)}", _SUM)
    raise NotImplementedError(f"LaTeX has no form of {name} yet")
