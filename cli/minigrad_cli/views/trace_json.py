"""A backward pass step by step, as one JSON document at full precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minigrad_cli.derivation import verdict
from minigrad_cli.numbers import for_json
from minigrad_cli.views.json_view import as_text, content

if TYPE_CHECKING:
    from minigrad_cli.derivation import Derivation
    from minigrad_grammar.differences import Check
    from minigrad_grammar.tracing import Step


def document(derivation: Derivation, *, indent: int | None, ascii_only: bool) -> str:
    """Return what ``eval`` has in its document, with the steps and the checks; arguments as there."""
    steps = [_step(derivation, number, step) for number, step in enumerate(derivation.steps, start=1)]
    checks = [_check(derivation, check) for check in derivation.checks]
    whole = content(derivation.report) | {"steps": steps, "checks": checks}
    return as_text(whole, indent=indent, ascii_only=ascii_only)


def _step(derivation: Derivation, number: int, step: Step) -> dict[str, Any]:
    rows = derivation.rows
    return {
        "step": number,
        "node": rows[step.node].name,
        "upstream": for_json(step.upstream),
        "users": [rows[user].name for user in step.users],
        "contributions": [
            {
                "to": rows[part.target].name,
                "formula": rows[step.node].local[part.place].formula,
                "local": for_json(part.local),
                "product": for_json(part.product),
                "before": for_json(part.before),
                "total": for_json(part.total),
                "ordinal": part.ordinal,
                "of": part.of,
            }
            for part in step.contributions
        ],
    }


def _check(derivation: Derivation, check: Check) -> dict[str, Any]:
    whole = check.whole
    return {
        "input": derivation.rows[check.input].name,
        "grad": for_json(derivation.rows[check.input].grad),
        "verdict": check.verdict,
        "text": verdict(derivation, check),
        "slopes": [
            {
                "left": for_json(quotient.left),
                "right": for_json(quotient.right),
                "slope": for_json(quotient.slope),
                "error": for_json(quotient.error),
            }
            for quotient in check.quotients
        ],
        "kinks": [derivation.rows[index].name for index in check.kinks],
        "by_a_whole_1": {
            "moved": for_json(whole.moved),
            "value": for_json(whole.value),
            "change": for_json(whole.change),
            "verdict": whole.reason,
            "text": whole.why,
            "kinks": [derivation.rows[index].name for index in whole.kinks],
        },
    }
