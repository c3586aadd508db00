"""The decision on a claimed number: at the given point, or wherever the truth does not depend on what is left free."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from minigrad_grammar.bounded import FINE, BoundedPass, Sure
from minigrad_grammar.checking.finding import RIGHT, UNTESTED, WRONG, Finding
from minigrad_grammar.checking.hunt import Hunt
from minigrad_grammar.checking.precise import is_available, sharpened
from minigrad_grammar.checking.trial import Case

if TYPE_CHECKING:
    from minigrad_grammar.checking.checker import Checker
    from minigrad_grammar.checking.claims import Claim
    from minigrad_grammar.checking.points import Point

# A truth that may be off by more than this, relatively, is computed again in more digits; if it is still, and by more
# than that, absolutely, it tells nothing of a claimed number.
_VAGUE, _TINY = 1e-3, 1e-9


def decide_number(checker: Checker, case: Case) -> Finding:
    """Decide a claim whose right side has no variables."""
    claim = case.claim
    free = [name for name in case.variables if not checker.is_given(name)]
    claimed = case.right_side(checker.at).sure(claim.right.output)
    if claimed.state != FINE:
        return Finding(claim, UNTESTED, note="the claimed number is not defined, or overflows")
    if free:
        return _without_a_point(checker, case, claimed, free)
    truth = case.truth(checker.at)
    at = checker.shown(case.variables, checker.at)
    if truth.state != FINE:
        return Finding(claim, UNTESTED, claimed=claimed.number, at=at, note="the truth is not a number at this point")
    if is_vague(truth) or is_vague(claimed):
        truth, claimed = _in_more_digits(checker, case, truth, claimed)
    for number, what in ((truth, "truth"), (claimed, "claimed number")):
        if _tells_nothing(number):
            note = f"no digit of the {what} is sure here"
            return Finding(claim, UNTESTED, claimed.number, truth.number, at, note=note)
    verdict = RIGHT if accepts(claim, truth, claimed, checker.rel_tol) else WRONG
    return Finding(claim, verdict, claimed.number, truth.number, at, points=1, regions=1)


def _in_more_digits(checker: Checker, case: Case, truth: Sure, claimed: Sure) -> tuple[Sure, Sure]:
    """Return the truth and the claimed number from 60 digits, if they can be computed; else as they are."""
    if not is_available():
        return truth, claimed
    sharp = sharpened(case, case.trial(checker.at, conventions_decide=True))
    return sharp.truth, sharp.claimed


def is_vague(truth: Sure) -> bool:
    """Whether the bound of a number is so large that it tells little."""
    return not truth.error <= _VAGUE * abs(truth.number)


def _tells_nothing(number: Sure) -> bool:
    return is_vague(number) and not number.error <= _TINY


def accepts(claim: Claim, truth: Sure, claimed: Sure, rel_tol: float | None) -> bool:
    """Whether a claimed number is right.

    It is if it lies within the error bound of the truth, or, written as a decimal of two significant digits or more,
    if some number within the bound rounds or truncates to it; but 5.99 is no truncation of a 6 that may be a rounding
    error below 6. A relative tolerance takes the place of both.
    """
    error = truth.error + claimed.error
    distance = abs(truth.number - claimed.number)
    if rel_tol is not None:
        return distance <= rel_tol * abs(truth.number) + error
    if distance <= error:
        return True
    if not claim.decimal:
        return False
    exact = Fraction(claim.decimal)
    apart = abs(Fraction(truth.number) - exact) - Fraction(error)
    return apart <= Fraction(claim.quantum) / 2 or _truncates(truth, exact, Fraction(claim.quantum))


def _truncates(truth: Sure, claimed: Fraction, quantum: Fraction) -> bool:
    """Whether the truth, cut off after the digit of value ``quantum``, is as claimed, its bound considered."""
    if truth.number * claimed < 0:
        return False
    excess = abs(Fraction(truth.number)) - abs(claimed)
    return -Fraction(truth.error) <= excess < quantum - Fraction(truth.error)


class Constancy(Case):
    """The question whether the truth is the same at every point, whatever the variables that are left free.

    Attributes:
        reference: the first pass with a truth to speak of; what it has is claimed of all the others.
    """

    def claimed(self, ran: BoundedPass, told: BoundedPass) -> Sure:
        """Return the truth at the first point."""
        truth = self.truth(ran)
        if self.reference is None and truth.state == FINE and not _tells_nothing(truth):
            self.reference = ran
        return truth if self.reference is None else self.truth(self.reference)


def _without_a_point(checker: Checker, case: Case, claimed: Sure, free: list[str]) -> Finding:
    """Decide a claimed number where variables are free: the truth must not depend on them."""
    claim = case.claim
    constancy = Constancy(claim, case.bounded, checker.conventions)
    places = [checker.names.index(name) for name in free]

    def run(point: Point) -> BoundedPass:
        return checker.run_partly({checker.names[place]: point[place] for place in places})

    hunt = Hunt(checker, constancy, run)
    hunt.decide()
    if hunt.against is not None:
        return Finding(claim, UNTESTED, note=f"{claim.read_as} depends on what has no value", free=free)
    if constancy.reference is None or not hunt.convinced:
        return Finding(claim, UNTESTED, note=hunt.doubt())
    if _tells_nothing(claimed):
        return Finding(claim, UNTESTED, note="no digit of the claimed number is sure")
    truth = constancy.truth(constancy.reference)
    verdict = RIGHT if accepts(claim, truth, claimed, checker.rel_tol) else WRONG
    return Finding(claim, verdict, claimed.number, truth.number, points=hunt.supports, regions=hunt.regions)
