"""Gradients in symbols, as sums over paths, in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from minigrad_cli.numbers import for_json, rounded
from minigrad_cli.text import printable
from minigrad_cli.views.cells import footnotes, shown
from minigrad_cli.words import say
from minigrad_grammar.paths import is_sum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from minigrad_cli.symbols import Symbol, Symbols
    from minigrad_grammar.paths import Path

_ARROW = " -> "


def text(told: Symbols, digits: int, *, ascii_only: bool) -> str:
    """Return a line an input, with its paths below it where there are several, and what the nodes in them are."""
    lines: list[str] = []
    for symbol in told.gradients:
        lines += ["", shown(_equation(told, symbol, digits), ascii_only)]
        if symbol.number > 1:
            terms = [(shown(path.formula, ascii_only), _ARROW.join(names)) for names, path in symbol.terms]
            width = max((cell_len(term) for term, _ in terms), default=0)
            lines += [
                f"  {term}{' ' * (width - cell_len(term))}    along {shown(along, ascii_only)}" for term, along in terms
            ]
        if symbol.note:
            lines.append(f"  {symbol.note}")
    if told.where:
        where = [f"{name} = {expression}" for name, expression in told.where.items()]
        lines += ["", "where", *(f"  {shown(line, ascii_only)}" for line in where)]
    if told.report and told.report.notes:
        lines += ["", *(shown(note, ascii_only) for note in footnotes(told.report))]
    return "".join(f"{line}\n" for line in lines[1:])


def _equation(told: Symbols, symbol: Symbol, digits: int) -> str:
    """Return "∂L/∂a = 1 + b = 4"."""
    parts = [say("by", node=told.output, operand=symbol.name), *([symbol.formula] if symbol.formula else [])]
    if symbol.value is not None and (value := rounded(symbol.value, digits)) != symbol.formula:
        parts.append(value)
    return " = ".join(parts)


def markdown(told: Symbols, digits: int) -> str:
    """Return the same as a list."""
    from minigrad_cli.views.markdown import code, escaped

    lines = []
    for symbol in told.gradients:
        note = f": {escaped(symbol.note)}" if symbol.note else ""
        lines.append(f"- {code(printable(_equation(told, symbol, digits)))}{note}")
        if symbol.number > 1:
            lines += [
                f"  - {code(printable(path.formula))} along {code(printable(_ARROW.join(names)))}"
                for names, path in symbol.terms
            ]
    if told.where:
        lines += ["", "where", ""]
        lines += [f"- {code(printable(f'{name} = {expression}'))}" for name, expression in told.where.items()]
    if told.report and told.report.notes:
        lines += ["", *(escaped(printable(note)) + "  " for note in footnotes(told.report))]
    return "\n".join(lines) + "\n"


def latex(told: Symbols, digits: int) -> str:
    """Return the equations in an align* environment; it needs the package amsmath."""
    from minigrad_cli.views.latex import aligned, escaped, tex, tex_names, tex_number

    names = tex_names([*told.program.labels.values(), *told.program.aliases])
    lines = []
    for symbol in told.gradients:
        parts = [rf"\frac{{\partial {names[told.output]}}}{{\partial {names[symbol.name]}}} &"]
        parts += [_tex_sum([path for _, path in symbol.terms], names, whole=not symbol.note)] if symbol.formula else []
        if symbol.value is not None and (value := tex_number(symbol.value, digits)) != parts[-1]:
            parts.append(value)
        lines.append(" = ".join(parts) if len(parts) > 1 else rf"{parts[0]}\ \text{{{symbol.note}}}")
    lines += [f"{names[name]} &= {tex(expression, names)}" for name, expression in told.where.items()]
    notes = [f"\n{escaped(note)}\n" for note in footnotes(told.report)] if told.report else []
    return "% \\usepackage{amsmath}\n" + aligned(lines) + "".join(notes)


def _tex_sum(paths: Sequence[Path], names: dict[str, str], *, whole: bool) -> str:
    """Return a sum of products in math mode."""
    from minigrad_cli.views.latex import tex

    total = ""
    for path in paths:
        if path.factors == ["0"]:
            continue
        alone = len(path.factors) == 1 and not path.negative and " if " not in path.factors[0]
        texs = [
            tex(text, names) if alone or not is_sum(text) else rf"\left({tex(text, names)}\right)"
            for text in path.factors
        ]
        sign = (" - " if path.negative else " + ") if total else "-" if path.negative else ""
        total += sign + (r" \cdot ".join(texs) or "1")
    return (total or "0") + ("" if whole else r" + \cdots")


def document(told: Symbols, *, indent: int | None, ascii_only: bool) -> str:
    """Return the gradients as one JSON document."""
    from minigrad_cli.views.json_view import as_text

    content: dict[str, Any] = {
        "expression": told.program.text,
        "output": told.output,
        "gradient": {
            symbol.name: {
                "formula": symbol.formula or None,
                "value": None if symbol.value is None else for_json(symbol.value),
                "paths": [{"nodes": names, "formula": path.formula} for names, path in symbol.terms],
                "count": symbol.number,
                "note": symbol.note,
            }
            for symbol in told.gradients
        },
        "where": told.where,
        "notes": [{"node": node, "text": text} for node, text in told.report.notes] if told.report else [],
    }
    return as_text(content, indent=indent, ascii_only=ascii_only)
