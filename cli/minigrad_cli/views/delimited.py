"""CSV and TSV: a row a node. A node's local derivatives share a field, separated by semicolons."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from minigrad_cli.numbers import bare

if TYPE_CHECKING:
    from minigrad_cli.report import Report

FIELDS = ("name", "op", "expression", "data", "grad", "wrt", "formula", "local")


def delimited(report: Report, delimiter: str) -> str:
    """Return the report as a header and a line a node, at full precision."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(FIELDS)
    for row in report.rows:
        writer.writerow(
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
        )
    return text.getvalue()
