"""The running error bound: how far from the truth a number may be, given how far its operands may be.

A bound is an absolute number, and holds for the result of the operation in real arithmetic on the true operands. It
grows from the operands' bounds, by the mean value theorem, and from the operation's own rounding, by the errors that
its row in the table of rules admits to.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING, Any

from minigrad import drifts
from minigrad.kernels import SMALLEST
from minigrad.steps import ARITHMETIC_FAULTS, evaluated, parameters
from minigrad.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from minigrad.choices import Conventions
    from minigrad.rules import Rule

    BoundStep = Callable[[Sequence[float], Sequence[float], float, Sequence[float]], tuple[float, list[float]]]

ROUNDOFF = 2.0**-53
"""The relative error of one rounding to a double."""

# The bounds are rounded themselves; this covers it.
_SLACK = 1.0 + 2.0**-40

_WORDS = VOCABULARY | {name: getattr(drifts, name) for name in drifts.__all__} | {"min": min}


@lru_cache(maxsize=1024)
def bound_step(rule: Rule, conventions: Conventions) -> BoundStep:
    """Make a function that bounds the errors of one node.

    Args:
        rule: a row of the table.
        conventions: those that the node was computed under.

    Returns:
        A function of (operands, their error bounds, the result, all its local derivatives) that gives the bound of
        the result and a list of the bounds of the local derivatives. Where nothing is sure a bound is inf.
    """
    value_error, slope_error = (2.0 * ROUNDOFF * ulps for ulps in rule.ulps)

    drifts_text = _drifts(rule)
    is_exact = None if rule.exact == "False" else with_errors(rule, rule.exact, conventions)

    def rounding(relative: float, number: float, operands: Sequence[float]) -> float:
        """Return an operation's own rounding error. A 0 is exact, unless the truth is not 0."""
        if number == 0.0 and (relative == 0.0 or not evaluated(rule, rule.nonzero, conventions)(operands, number)):
            return 0.0
        # Where numbers are subnormal the last place is SMALLEST, and the measured errors are below 4 of them.
        return relative * abs(number) + 4.0 * SMALLEST if relative else 0.0

    def bound(
        operands: Sequence[float], errors: Sequence[float], c: float, local: Sequence[float]
    ) -> tuple[float, list[float]]:
        try:
            result = 0.0
            if is_exact is None or not is_exact(operands, errors, c, local):
                result = rounding(value_error, c, operands)
            slopes = [rounding(slope_error, slope, operands) for slope in local]
            if any(errors):
                moved = with_errors(rule, drifts_text, conventions)(operands, errors, c, local)
                slopes = list(map(add, slopes, moved))
                if rule.spread:
                    result += with_errors(rule, rule.spread, conventions)(operands, errors, c, local)
                else:
                    result += sum(
                        [
                            (abs(slope) + slip) * error + SMALLEST if error and (slope or slip) else 0.0
                            for slope, slip, error in zip(local, slopes, errors, strict=True)
                        ]
                    )
        except ARITHMETIC_FAULTS:
            return math.inf, [math.inf] * len(local)
        return _sure(result), [_sure(slip) for slip in slopes]

    return bound


def _drifts(rule: Rule) -> str:
    """Return the text of the list of a row's drifts."""
    if rule.variadic:
        return f"[{rule.drifts[0]}]*len(local)"
    texts = (re.sub(r"\bd\b", f"local[{place}]", drift) for place, drift in enumerate(rule.drifts))
    return f"[{', '.join(texts)}]"


@lru_cache(maxsize=1024)
def with_errors(rule: Rule, text: str, conventions: Conventions) -> Callable[..., Any]:
    """Compile a text of a row's that speaks of the errors of its operands.

    Returns:
        A function of (operands, their error bounds, result, local derivatives).
    """
    if rule.variadic:
        source = f"lambda operands, errors, c, local: {text}"
    else:
        moved = ", ".join(f"e{name}" for name in rule.operands)
        source = f"lambda {parameters(rule)}, {moved}, c, local: {text}"
    compiled = eval(compile(source, f"<drifts of {rule.name}>", "eval"), conventions.in_force() | _WORDS)
    if rule.variadic:
        return compiled  # type: ignore[no-any-return]
    return lambda operands, errors, c, local: compiled(*operands, *errors, c, local)


def _sure(bound: float) -> float:
    """Return a bound with the rounding of its own computation; inf for nan."""
    return bound * _SLACK if bound < math.inf else math.inf


def contribution_bound(local: float, local_error: float, upstream: float, upstream_error: float) -> float:
    """Return the error bound of local * upstream, one contribution to a gradient."""
    if (local in _UNITS or upstream in _UNITS) and local_error == upstream_error == 0.0:
        return 0.0
    error = (
        abs(local) * upstream_error + (abs(upstream) + upstream_error) * local_error + ROUNDOFF * abs(local * upstream)
    )
    # Products of bounds underflow too. A 0 that is exact gives 0.
    if error < _UNDERFLOWING and (local or local_error) and (upstream or upstream_error):
        error += SMALLEST
    return _sure(error)


# Far above the subnormals, so that no term of a sum that is larger underflowed by more than the slack covers.
_UNDERFLOWING = 1e-290
_UNITS = (1.0, -1.0)
