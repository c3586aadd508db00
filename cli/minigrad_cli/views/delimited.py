"""CSV and TSV: a row a node. A node's local derivatives share a field, separated by semicolons."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from minigrad_cli.numbers import bare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from minigrad_cli.report import Report

FIELDS = ("name", "op", "expression", "data", "grad", "wrt", "formula", "local")


def delimited(report: Report, delimiter: str) -> str:
    """Return the report as a header and a line a node, at full precision."""
    rows = [
        (
            row.name,
            row.op,
            row.expression,
            bare(row.data),
            bare(row.grad),
            ";".join(local.wrt for local in row.local),
            ";".join(local.formula for local in row.local),
            ";".join(bare(local.value) for local in row.local),
        )
        for row in report.rows
    ]
    return lines(FIELDS, rows, delimiter)


def lines(fields: Sequence[str], rows: Iterable[Sequence[str]], delimiter: str) -> str:
    """Return a header and a line a row, with quotes where they are needed."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerows((fields, *rows))
    return text.getvalue()
