"""The running error bound: how far from the truth a number may be, given how far its operands may be.

A bound is an absolute number, and holds for the result of the operation in real arithmetic on the true operands. It
grows from the operands' bounds, by the mean value theorem, and from the operation's own rounding, by the errors that
its row in the table of rules admits to.
"""

from __future__ import annotations

import math
from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING

from minigrad import drifts
from minigrad.steps import ARITHMETIC_FAULTS, parameters
from minigrad.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from minigrad.choices import Conventions
    from minigrad.rules import Rule

    BoundStep = Callable[[Sequence[float], Sequence[float], float, Sequence[float]], tuple[float, list[float]]]

ROUNDOFF = 2.0**-53
"""The relative error of one rounding to a double."""

SMALLEST = 2.0**-1074
"""The smallest double above 0: below it, a result is 0 and has an error all the same."""

# The bounds are rounded themselves; this covers it.
_SLACK = 1.0 + 2.0**-40

_WORDS = VOCABULARY | {name: getattr(drifts, name) for name in drifts.__all__} | {"min": min, "add": add}


@lru_cache(maxsize=1024)
def bound_step(rule: Rule, conventions: Conventions) -> BoundStep:
    """Compile a rule to a function that bounds the errors of one node.

    Args:
        rule: a row of the table.
        conventions: those that the node was computed under.

    Returns:
        A function of (operands, their error bounds, the result, all its local derivatives) that gives the bound of
        the result and a list of the bounds of the local derivatives. Where nothing is sure a bound is inf.
    """
    names = conventions.in_force() | _WORDS
    exec(compile(_source(rule), f"<bounds of {rule.name}>", "exec"), names)
    compiled: BoundStep = names["bound"]

    def bound(
        operands: Sequence[float], errors: Sequence[float], c: float, local: Sequence[float]
    ) -> tuple[float, list[float]]:
        try:
            result, slopes = compiled(operands, errors, c, local)
        except ARITHMETIC_FAULTS:
            return math.inf, [math.inf] * len(local)
        return _sure(result), [_sure(slope) for slope in slopes]

    return bound


def _source(rule: Rule) -> str:
    """Return the source of a bound step, from the row's texts."""
    value_ulps, slope_ulps = (2.0 * ROUNDOFF * ulps for ulps in rule.ulps)
    if rule.variadic:
        names = parameters(rule).lstrip("*")
        places = [f"drift = {rule.drifts[0]}", "drifts = [drift]*len(local)"]
    else:
        names = ", ".join((*rule.operands, ""))
        places = [f"{', '.join(f'e{name}' for name in rule.operands)}, = errors"]
        for place, drift in enumerate(rule.drifts):
            places += [f"d = local[{place}]", f"drift{place} = {drift}"]
        places.append(f"drifts = [{', '.join(f'drift{place}' for place in range(len(rule.drifts)))}]")
    spread = rule.spread or f"sum([(abs(d) + m)*e + {SMALLEST!r} if e and (d or m) else 0.0 for d, m, e in moves])"
    lines = [
        f"{names} = operands",
        f"nonzero = {rule.nonzero}",
        f"slopes = [{_rounding(slope_ulps, 'd')} for d in local]",
        "spread = 0.0",
        "if any(errors):",
        *(f"    {line}" for line in places),
        "    slopes = list(map(add, slopes, drifts))",
        "    moves = zip(local, slopes, errors)",
        f"    spread = {spread}",
        f"return spread + {_rounding(value_ulps, 'c')}, slopes",
    ]
    return "def bound(operands, errors, c, local):\n" + "".join(f"    {line}\n" for line in lines)


def _rounding(relative: float, name: str) -> str:
    """Return the text of an operation's own rounding error. A 0 is exact, unless the truth is not 0."""
    if relative == 0.0:
        return "0.0"
    return f"({relative!r}*abs({name}) + {4.0 * SMALLEST!r} if {name} or nonzero else 0.0)"


def _sure(bound: float) -> float:
    """Return a bound with the rounding of its own computation; inf for nan."""
    return bound * _SLACK if bound < math.inf else math.inf


def contribution_bound(local: float, local_error: float, upstream: float, upstream_error: float) -> float:
    """Return the error bound of local * upstream, one contribution to a gradient."""
    error = (
        abs(local) * upstream_error + (abs(upstream) + upstream_error) * local_error + ROUNDOFF * abs(local * upstream)
    )
    # Products of bounds underflow too. A 0 that is exact gives 0.
    if error < _UNDERFLOWING and (local or local_error) and (upstream or upstream_error):
        error += SMALLEST
    return _sure(error)


_UNDERFLOWING = 1e-290
