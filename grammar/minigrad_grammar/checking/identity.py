"""The decision on a claim that should hold at every point where the truth is defined.

docs/deciding.md has the rule in words. A difference that is analytic vanishes on a whole region or almost nowhere, so
what counts is to find every region: the domain, and every cell between kinks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad_grammar.bounded import FINE
from minigrad_grammar.checking.finding import RIGHT, UNTESTED, WRONG, Finding, Reason, told_at
from minigrad_grammar.checking.hunt import Hunt
from minigrad_grammar.checking.trial import REFUTES, SUPPORTS, UNDEFINED, Case, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from minigrad_grammar.bounded import BoundedPass
    from minigrad_grammar.checking.checker import Checker
    from minigrad_grammar.checking.points import Point


def decide_identity(checker: Checker, case: Case) -> Finding:
    """Decide a claim whose right side names a variable: at the given point first, and then in general."""
    claim = case.claim
    at_point = None
    if all(checker.is_given(name) for name in case.variables):
        at_point = case.trial(checker.at, conventions_decide=True)
        if at_point.verdict == REFUTES:
            return _refuted(checker, case, at_point)
    hunt = Hunt(checker, case, _with_input_held(checker, case))
    hunt.decide()
    if hunt.against is None:
        verdict = RIGHT if hunt.convinced else UNTESTED
        note = "" if hunt.convinced else hunt.doubt()
        if hunt.convinced and at_point is not None and at_point.claimed.state != FINE:
            note = "it holds in general, but is not defined at the given point"
        return Finding(claim, verdict, note=note, points=hunt.supports, regions=hunt.regions)
    _, trial = hunt.shown()
    finding = _refuted(checker, case, trial)
    if trial.verdict == UNDEFINED:
        finding.note = f"undefined at {told_at(finding.at)}, where the truth is not"
    elif at_point is not None and at_point.verdict == SUPPORTS:
        text = f"true at the given point, false at {told_at(finding.at)}"
        finding.reasons.append(Reason("only-at-point", text, "true at the given point, but not everywhere"))
    return finding


def _with_input_held(checker: Checker, case: Case) -> Callable[[Point], BoundedPass]:
    """Return how to run the program: with everything free, but for an input with a number whose data is claimed."""
    names = {index: name for name, index in checker.program.inputs.items()}
    held = names.get(case.claim.node, "") if case.claim.by is None else ""
    if not held or not checker.is_given(held):
        return checker.runner(case)

    def run(point: Point) -> BoundedPass:
        free = zip(checker.names, point, strict=True)
        return checker.run_partly({name: number for name, number in free if name != held})

    return run


def _refuted(checker: Checker, case: Case, trial: Trial) -> Finding:
    case.against = trial
    at = checker.shown(case.variables, trial.ran)
    claimed = trial.claimed.number if trial.verdict == REFUTES else None
    return Finding(case.claim, WRONG, claimed=claimed, truth=trial.truth.number, at=at, points=1, regions=1)
