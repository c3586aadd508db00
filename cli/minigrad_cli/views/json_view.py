"""JSON: one document with everything at full precision."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from minigrad_cli.numbers import for_json
from minigrad_cli.text import printable

if TYPE_CHECKING:
    from minigrad_cli.report import Report, Row


def document(report: Report, *, indent: int | None, ascii_only: bool) -> str:
    """Return the report as one JSON document: on one line, or indented by ``indent`` spaces a level."""
    return as_text(content(report), indent=indent, ascii_only=ascii_only)


def content(report: Report) -> dict[str, Any]:
    """Return what the document says."""
    evaluation = report.evaluation
    return {
        "expression": evaluation.program.text,
        "inputs": {name: for_json(value.data) for name, value in evaluation.inputs.items()},
        "value": for_json(evaluation.value),
        "gradient": {name: for_json(grad) for name, grad in evaluation.gradient.items()},
        "nodes": [_node(row) for row in report.rows],
        "aliases": evaluation.program.aliases,
        "conventions": evaluation.conventions.in_force(),
        "notes": [{"node": node, "text": text} for node, text in report.notes],
    }


def as_text(content: dict[str, Any], *, indent: int | None, ascii_only: bool) -> str:
    """Return a document's content as text that no terminal acts on, with a newline at the end."""
    text = json.dumps(content, indent=indent, ensure_ascii=ascii_only, allow_nan=False)
    return re.sub(r"[^\x00-\x7e]", _escaped, text) + "\n"


def _escaped(character: re.Match[str]) -> str:
    """Return a character of a JSON text, as an escape of JSON's if a terminal might act on it."""
    return character[0] if printable(character[0]) == character[0] else json.dumps(character[0])[1:-1]


def _node(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "op": row.op,
        "expression": row.expression,
        "data": for_json(row.data),
        "grad": for_json(row.grad),
        "local": [{"wrt": local.wrt, "formula": local.formula, "value": for_json(local.value)} for local in row.local],
    }
