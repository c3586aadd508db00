"""The findings of check, in every format. The verdict is always a word; colour only repeats it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minigrad_cli.findings import VERDICTS
from minigrad_cli.flags import flag, value_flag
from minigrad_cli.numbers import DEFAULT_DIGITS, MOST_DIGITS, bare, for_json, rounded
from minigrad_cli.text import printable
from minigrad_cli.views.cells import plain
from minigrad_grammar.checking.finding import WRONG, told_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from minigrad_cli.findings import Findings, Unclaimed
    from minigrad_grammar.checking import Finding, Reason

_HEADERS = ("claim", "read as", "verdict", "claimed", "truth", "at", "why")
_NUMBERS = ("claimed", "truth")
_STYLES = {"right": "green", "wrong": "bold red", "untested": "yellow", "unclaimed": "dim"}

_FIELDS = (
    "claim",
    "line",
    "node",
    "by",
    "verdict",
    "claimed",
    "truth",
    "at",
    "reasons",
    "text",
    "note",
    "points",
    "regions",
)


def table(found: Findings, *, hint_only: bool, columns: int | None, ascii_only: bool) -> str:
    """Return the findings as a table for people; arguments as in ``minigrad_cli.views.table``."""
    from rich.text import Text

    from minigrad_cli.views.table import laid_out

    fit = plain if ascii_only else str
    headers, rows = _cells(found, hint_only=hint_only)
    styled = [
        [
            Text(fit(cell), _STYLES[cell] if header == "verdict" else "")
            for header, cell in zip(headers, row, strict=True)
        ]
        for row in rows
    ]
    return f"{laid_out(headers, styled, right=_NUMBERS, columns=columns)}\n{_sum(found)}\n"


def markdown(found: Findings, *, hint_only: bool) -> str:
    """Return the findings as a pipe table."""
    from minigrad_cli.views.markdown import code, escaped, pipe_table

    headers, rows = _cells(found, hint_only=hint_only)
    cells = [
        [
            code(cell) if header in ("claim", "read as", "at") else "<br>".join(map(escaped, cell.split("\n")))
            for header, cell in zip(headers, row, strict=True)
        ]
        for row in rows
    ]
    return f"{pipe_table(headers, cells, right=_NUMBERS)}\n{_sum(found)}\n"


def csv(found: Findings, *, hint_only: bool) -> str:
    """Return the findings as CSV: a row a claim, and one for each thing that nobody claimed."""
    from minigrad_cli.views.delimited import lines

    rows = []
    for line, finding in found.found:
        content = _content(found, line, finding, hint_only=hint_only)
        told = [*content["reasons"], *content["also_possible"]]
        rows.append(
            [
                *("" if content[field] is None else str(content[field]) for field in _FIELDS[:5]),
                *("" if hint_only or number is None else bare(number) for number in (finding.claimed, finding.truth)),
                ";".join(f"{name}={bare(number)}" for name, number in finding.at.items()),
                ";".join(reason["code"] for reason in told),
                "; ".join(reason["text"] for reason in content["reasons"]),
                content["note"],
                str(content["points"]),
                str(content["regions"]),
            ]
        )
    for rest in found.unclaimed or []:
        truth = "" if hint_only or rest.truth is None else bare(rest.truth)
        rows.append(["", "", rest.node, rest.by or "", "unclaimed", "", truth, *[""] * 6])
    return lines(_FIELDS, rows, ",")


def json_document(found: Findings, *, hint_only: bool, indent: int | None, ascii_only: bool) -> str:
    """Return the findings as one JSON document; arguments as in ``minigrad_cli.views.json_view``."""
    from minigrad_cli.views.json_view import as_text

    content: dict[str, Any] = {
        "expression": found.program.text,
        "claims": [_content(found, line, finding, hint_only=hint_only) for line, finding in found.found],
        **{verdict: found.count(verdict) for verdict in VERDICTS},
    }
    if found.unclaimed is not None:
        content["unclaimed"] = [_unclaimed(rest, hint_only=hint_only) for rest in found.unclaimed]
    return as_text(content, indent=indent, ascii_only=ascii_only)


def _content(found: Findings, line: int | None, finding: Finding, *, hint_only: bool) -> dict[str, Any]:
    """Return a finding's fields. With ``hint_only`` there is nothing in it that gives the truth away."""
    claim = finding.claim
    labels = claim.program.labels
    numbers = {
        field: None if number is None else for_json(number)
        for field, number in (("claimed", finding.claimed), ("truth", finding.truth))
    }
    return {
        "claim": claim.text.strip(),
        "line": line,
        "node": labels[claim.node],
        "by": None if claim.by is None else labels[claim.by],
        "verdict": finding.verdict,
        **({} if hint_only else numbers),
        "at": {name: for_json(number) for name, number in finding.at.items()},
        "reasons": [_reason(reason, hint_only=hint_only) for reason in finding.reasons],
        "also_possible": [_reason(reason, hint_only=hint_only) for reason in finding.also_possible],
        "note": _note(finding, found.options, hint_only=hint_only),
        "points": finding.points,
        "regions": finding.regions,
    }


def _note(finding: Finding, options: set[str], *, hint_only: bool) -> str:
    """Return what else there is to tell."""
    give = " ".join(value_flag(name, options) for name in finding.free)
    note = finding.note + (f": give {give}" if give else "")
    if hint_only and finding.verdict == WRONG:
        # Either may give the truth away.
        return "" if finding.reasons else "no common slip explains it"
    return "; ".join(filter(None, [note, finding.distance]))


def _reason(reason: Reason, *, hint_only: bool) -> dict[str, str]:
    return {"code": reason.code, "text": _told(reason, hint_only=hint_only)}


def _told(reason: Reason, *, hint_only: bool) -> str:
    """Return a reason's sentence, with the flag that would make the claim right."""
    if hint_only or not reason.choice:
        return reason.hint if hint_only else reason.text
    name, value = reason.choice
    return f"{reason.text} ({flag(name)} {value})"


def _unclaimed(rest: Unclaimed, *, hint_only: bool) -> dict[str, Any]:
    truth = {} if hint_only else {"truth": None if rest.truth is None else for_json(rest.truth)}
    return {"node": rest.node, "by": rest.by, **truth}


def _cells(found: Findings, *, hint_only: bool) -> tuple[list[str], list[list[str]]]:
    """Return the headers and the cells of the table, safe to print."""
    rows = [_row(found, finding, hint_only=hint_only) for _, finding in found.found]
    for rest in found.unclaimed or []:
        truth = "" if rest.truth is None else rounded(rest.truth, DEFAULT_DIGITS)
        rows.append(["", rest.read_as, "unclaimed", "", truth, "", ""])
    shown = [place for place, header in enumerate(_HEADERS) if not (hint_only and header in _NUMBERS)]
    return [_HEADERS[place] for place in shown], [[_printable_lines(row[place]) for place in shown] for row in rows]


def _printable_lines(cell: str) -> str:
    """Return a cell's lines, each safe to print."""
    return "\n".join(map(printable, cell.split("\n")))


def _row(found: Findings, finding: Finding, *, hint_only: bool) -> list[str]:
    claim = finding.claim
    claimed, truth = _digits_apart(finding.claimed, finding.truth)
    why = [_told(reason, hint_only=hint_only) for reason in finding.reasons]
    return [
        _one_line(claim.text),
        claim.read_as,
        finding.verdict,
        claimed,
        truth,
        told_at(finding.at),
        "\n".join([*why, *filter(None, [_note(finding, found.options, hint_only=hint_only)])]),
    ]


def _one_line(text: str) -> str:
    from minigrad_grammar.fold import one_line

    return one_line(text)


def _digits_apart(claimed: float | None, truth: float | None) -> Sequence[str]:
    """Return two numbers with as many digits as it takes to see that they differ, if they do."""
    for digits in range(DEFAULT_DIGITS, MOST_DIGITS + 1):
        texts = ["" if number is None else rounded(number, digits) for number in (claimed, truth)]
        if claimed == truth or texts[0] != texts[1]:
            break
    return texts


def _sum(found: Findings) -> str:
    """Return "3 right, 1 wrong, 0 untested"."""
    counts = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in VERDICTS)
    return counts + (f", {len(found.unclaimed)} unclaimed" if found.unclaimed is not None else "")
