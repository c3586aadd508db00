"""Reasons: each is a function that guesses what a slip would have given.

A guess is a prediction, a number at every point. It is told only if it gives what is claimed at every point tested and
not the truth; docs/deciding.md lists the codes.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from minigrad_grammar.bounded import FINE
from minigrad_grammar.checking.finding import WRONG, Finding, Reason
from minigrad_grammar.checking.reasons import paths, readings, slips, whole
from minigrad_grammar.checking.reasons.evidence import Evidence, Witness
from minigrad_grammar.checking.trial import REFUTES, is_sharp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from minigrad_grammar.checking.checker import Checker
    from minigrad_grammar.checking.reasons.evidence import Guess
    from minigrad_grammar.checking.trial import Case, Trial

REASONS: tuple[tuple[str, Callable[[Evidence], Iterator[Guess]]], ...] = (
    ("sign", whole.sign),
    ("value-not-derivative", whole.value_not_derivative),
    ("derivative-not-value", whole.derivative_not_value),
    ("other-variable", whole.other_variable),
    ("other-node", whole.other_node),
    ("direct-partial", paths.direct_partial),
    ("local-derivative", paths.local_derivative),
    ("missing-path", paths.missing_path),
    ("last-path-only", paths.last_path_only),
    ("sign-on-one-path", paths.sign_on_one_path),
    ("upstream-dropped", paths.upstream_dropped),
    ("double-count", paths.double_count),
    ("product-of-derivatives", slips.product_of_derivatives),
    ("outer-at-wrong-point", slips.outer_at_wrong_point),
    ("swapped-operands", slips.swapped_operands),
    ("operand-for-result", slips.operand_for_result),
    ("power-rule", slips.power_rule),
    ("power-rule-on-exp", slips.power_rule_on_exp),
    ("constant-kept", slips.constant_kept),
    ("table-slip", slips.table_slip),
    ("reciprocal-of-derivative", whole.reciprocal_of_derivative),
    ("gate-ignored", slips.gate_ignored),
    ("convention", readings.convention),
    ("finite-step", whole.finite_step),
    ("misread-precedence", readings.misread_precedence),
    ("missing-factor", whole.missing_factor),
    ("extra-factor", whole.extra_factor),
    ("antiderivative", whole.antiderivative),
    ("degrees", readings.degrees),
    ("log-base", readings.log_base),
    ("rounding", whole.rounding),
)
"""The codes of reasons that predict a number, simplest first, and how each guesses."""

LAST_RESORTS: tuple[tuple[str, Callable[[Evidence], Iterator[Guess]]], ...] = (
    ("other-node", whole.node_on_the_way),
    ("value-not-derivative", slips.term_copied),
    ("missing-factor", whole.missing_number),
    ("extra-factor", whole.extra_number),
)
"""Guesses that are made where none of those explains the claim; the first that does is told."""

_WITNESSES = 8
_LOOKED_AT = 200


def explain(checker: Checker, case: Case, finding: Finding) -> None:
    """Add to a finding what probably went wrong, if its claim is wrong."""
    if finding.verdict != WRONG:
        return
    witnesses = _witnesses(checker, case)
    found = _reasons(Evidence(checker, case, witnesses)) if witnesses else []
    if case.claim.is_identity:
        finding.reasons = [*found, *finding.reasons]
    else:
        finding.reasons, finding.also_possible = found[:1], found[1:]
    if not finding.reasons and finding.claimed is not None:
        finding.distance = _distance(finding)


def _reasons(evidence: Evidence) -> list[Reason]:
    """Return every reason that explains the claim, each once."""
    found = [reason for code, guesses in REASONS if (reason := _reason(evidence, code, guesses)) is not None]
    last = (_reason(evidence, code, guesses) for code, guesses in LAST_RESORTS)
    return found or [reason for reason in last if reason is not None][:1]


def _reason(evidence: Evidence, code: str, guesses: Callable[[Evidence], Iterator[Guess]]) -> Reason | None:
    """Return the first guess of one reason that explains the claim."""
    for guess in islice(guesses(evidence), evidence.runs()):
        if evidence.explains(guess):
            return Reason(code, guess.text, guess.hint, guess.choice)
    return None


def _witnesses(checker: Checker, case: Case) -> list[Witness]:
    """Return the points at which a reason must explain the claim: for a number one, else points of any kind.

    Of a formula, some of them refute the claim; at all of them both numbers are sharp.
    """
    if not case.claim.is_identity:
        return _witness_of_a_number(checker, case)
    against = [] if case.against is None else _sharp_witnesses([case.against])
    others: list[Witness] = []
    run = checker.runner(case)
    for number in range(min(_LOOKED_AT, checker.budget(case))):
        trial = case.trial(run(checker.pooled(number)))
        (against if trial.verdict == REFUTES else others).extend(_sharp_witnesses([trial]))
        if len(against) >= _WITNESSES:
            break
    return [*against[:_WITNESSES], *others[: _WITNESSES // 2]] if against else []


def _sharp_witnesses(trials: Sequence[Trial]) -> list[Witness]:
    """Return the trials with two numbers that are sharp."""
    return [
        Witness(trial.ran, trial.truth, trial.claimed, trial.told)
        for trial in trials
        if trial.told is not None and trial.claimed.state == FINE and is_sharp(trial.truth, trial.claimed)
    ]


def _witness_of_a_number(checker: Checker, case: Case) -> list[Witness]:
    """Return the given point; where variables are left free, with numbers for them at which there is a truth."""
    free = [place for place, name in enumerate(checker.names) if not checker.is_given(name)]
    for number in range(_LOOKED_AT):
        point = checker.pooled(number)
        ran = checker.run_partly({checker.names[place]: point[place] for place in free}) if free else checker.at
        told = case.right_side(ran)
        truth = case.truth(ran)
        if truth.state == FINE or not free:
            return [Witness(ran, truth, case.claimed(ran, told), told)]
    return []


def _distance(finding: Finding) -> str:
    """Return how far off a claim is, for want of a reason."""
    assert finding.claimed is not None
    assert finding.truth is not None
    apart = f"off by {finding.claimed - finding.truth:.3g}"
    factor = f"{finding.claimed / finding.truth:.4g}" if finding.truth else "0"
    if factor not in ("0", "-0", "1", "inf", "-inf"):
        apart += f", a factor of {factor}"
    return f"{apart}; no common slip explains it"
