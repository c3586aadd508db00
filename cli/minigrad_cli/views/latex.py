"""The table in LaTeX, to paste into a document; it needs no package."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from minigrad.rules import RULES
from minigrad_cli.numbers import rounded
from minigrad_cli.views.cells import HEADERS, footnotes
from minigrad_grammar import parse
from minigrad_grammar.names import CONSTANTS
from minigrad_grammar.program import CONSTANT, INPUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from minigrad_cli.report import Local, Report, Row
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
    names = tex_names([name for row in report.rows for name in (row.name, *row.aliases)])
    lines = [
        r"\begin{tabular}{llrrl}",
        r"\hline",
        f"{' & '.join(HEADERS)} " + r"\\",
        r"\hline",
        *(line for row in report.rows for line in _lines(row, names, digits)),
        r"\hline",
        r"\end{tabular}",
        *(f"\n{escaped(note)}" for note in footnotes(report)),
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return a sentence as LaTeX has it."""
    greek = {letter: f"$\\{name}$" for letter, name in _LETTERS.items()}
    return "".join((_COMMANDS | greek).get(character, character) for character in text).replace("--", "-{}-")


_COMMANDS = {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}", "<": "$<$", ">": "$>$", "|": "$|$"}
_COMMANDS |= {character: f"\\{character}" for character in "&%$#_{}"}


def aligned(lines: Sequence[str]) -> str:
    """Return lines of math aligned at their &, with amsmath; nothing for none, which LaTeX refuses."""
    body = " \\\\\n".join(f"  {line}" for line in lines)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}\n" if lines else ""


def _lines(row: Row, names: dict[str, str], digits: int) -> list[str]:
    local = [f"$\\partial/\\partial {names[one.wrt]} = {_slope(one, row, names, digits)}$" for one in row.local] or [""]
    local[-1] += "".join(f" [{number}]" for number in row.notes)
    name = ", ".join(f"${names[part]}$" for part in (row.name, *row.aliases))
    numbers = f"${tex_number(row.data, digits)}$ & ${tex_number(row.grad, digits)}$"
    first = f"{name} & ${tex(row.expression, names)}$ & {numbers} & {local[0]} \\\\"
    return [first, *(f" & & & & {line} \\\\" for line in local[1:])]


def _slope(local: Local, row: Row, names: dict[str, str], digits: int) -> str:
    formula, number = tex(local.formula, names), tex_number(local.value, digits)
    return number if row.decided or formula == number else f"{formula} = {number}"


def tex_number(number: float, digits: int) -> str:
    r"""Return a rounded number in math mode: 2.71828, 8.35 \times 10^{-8}, \infty."""
    mantissa, e, exponent = rounded(number, digits).partition("e")
    mantissa = mantissa.replace("inf", r"\infty").replace("nan", r"\mathrm{nan}")
    return f"{mantissa} \\times 10^{{{int(exponent)}}}" if e else mantissa


def tex_names(names: Iterable[str]) -> dict[str, str]:
    """Return each name in math mode; no two of them alike."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        # A variable named like a constant must not look like it.
        tex = _upright(name) if name in CONSTANTS else tex_name(name)
        found[name] = tex if tex not in taken else _upright(name)
        taken.add(found[name])
    return found


def tex_name(name: str) -> str:
    r"""Return a name in math mode: x_{1} for x1 and x_1, \alpha for alpha and α, upright for whole words."""
    match = re.fullmatch(r"([^\W\d_]+)_?(\d*|(?<=_)[^\W_]+)", name)
    if match is None:
        return _upright(name)
    stem, index = _LETTERS.get(match[1], match[1]), match[2]
    body = f"\\{stem}" if stem in _LETTERS.values() else stem if len(stem) == 1 else _upright(stem)
    subscript = f"\\mathrm{{{index}}}" if len(index) > 1 and not index.isdigit() else index
    return f"{body}_{{{subscript}}}" if index else body


def _upright(name: str) -> str:
    letters = {letter: f"{{\\{command}}}" for letter, command in _LETTERS.items()}
    return f"\\mathrm{{{''.join((_COMMANDS | letters).get(character, character) for character in name)}}}"


def tex(expression: str, names: dict[str, str] | None = None) -> str:
    """Return an expression of the language in math mode.

    Args:
        expression: an expression, or a formula of the table of rules that goes by cases ("1 if x > 0 else 0").
        names: each name in it, in math mode; without them, as ``tex_name`` has it.

    Raises:
        LanguageError: if it is neither.
    """
    names = names or {}
    if expression.lstrip("-").isdigit():
        return expression
    cases = re.fullmatch(r"(\S+) if (\S+) (\S.*) else (\S+)", expression)
    if cases:
        subject = names.get(cases[2], tex_name(cases[2]))
        words = cases[3].replace(" ", r"\ ")
        condition = cases[3] if cases[3].startswith(">") else rf"\ \mathrm{{{words}}}"
        return rf"{cases[1]}\ \mathrm{{if}}\ {subject} {condition},\ \mathrm{{else}}\ {cases[4]}"
    # A name of a constant's that is a variable here.
    program = parse(expression, [name for name in CONSTANTS if name in names])
    pieces: list[_Piece] = []
    for index in range(len(program)):
        pieces.append(_piece(program, index, pieces, names))
    return pieces[program.output].tex


def _piece(program: Program, index: int, pieces: list[_Piece], names: dict[str, str]) -> _Piece:
    rule = program.rule(index)
    if rule is CONSTANT:
        return _constant(program.constant_text(index))
    operands = [pieces[operand] for operand in program.operands[index]]
    if rule is INPUT:
        name = program.names[index][0]
        return _Piece(names.get(name, tex_name(name)), _ATOM)
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


def _constant(text: str) -> _Piece:
    if not any(character.isdigit() for character in text):
        return _Piece(r"\mathrm{e}" if text == "e" else tex_name(text), _ATOM)
    mantissa, e, exponent = text.replace("_", "").lower().partition("e")
    signed = mantissa.startswith(("-", "+"))
    if e:
        return _Piece(f"{mantissa} \\times 10^{{{int(exponent)}}}", _SUM if signed else _PRODUCT)
    return _Piece(mantissa, _SUM if signed else _ATOM)


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
    return _Piece(f"-{right.at_least(_PRODUCT)}", _SUM)
