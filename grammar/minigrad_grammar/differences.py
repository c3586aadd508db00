"""Gradients checked by moving an input: difference quotients, each with a bound of its error.

A quotient is off by rounding, which the running error bound covers, and by the curve of the function between its ends
(truncation), which is estimated from quotients over shorter steps. The one shrinks as the step grows and the other
grows, so steps of many sizes are tried, and the one with the smallest sum is taken. Points beyond a kink or outside the
domain are left out: what lies there is not the slope here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from minigrad.bounds import ROUNDOFF
from minigrad.errors import MathError
from minigrad_grammar.bounded import FINE, BoundedProgram, Sure
from minigrad_grammar.lowering import lower

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from minigrad_grammar.lowering import Evaluation

AGREES, DIFFERS, KINK, BLIND = "agrees", "differs", "kink", "blind"
"""What a check says: the quotient is the gradient, within their bounds; it is not; the slopes to the two sides of a
kink are not both the gradient; no step tells anything."""

CURVED, LOST, OUTSIDE, BEYOND_A_KINK = "curved", "lost", "outside", "beyond a kink"
"""Why a whole 1 gives something else: the slope changes on the way; the change is lost in rounding; there is no number
at one of the ends; a kink lies on the way."""


class Quotient(NamedTuple):
    """A difference quotient: the slope from ``x - left`` to ``x + right``, and the bound of its error."""

    left: float
    right: float
    slope: float
    error: float


class Whole(NamedTuple):
    """The check by a whole 1, as one does it by hand.

    Attributes:
        moved: the input, moved by 1.
        value: the output there; nan if there is none.
        change: by how much the output has changed; nan if there is none.
        reason: AGREES, CURVED, LOST, OUTSIDE or BEYOND_A_KINK.
        why: of OUTSIDE, the fault in words; at the start, if it is there already.
        kinks: of BEYOND_A_KINK, the nodes that have changed sides.
    """

    moved: float
    value: float
    change: float
    reason: str
    why: str = ""
    kinks: Sequence[int] = ()


class Check(NamedTuple):
    """The gradient of one input, checked.

    Attributes:
        input: its instruction.
        gradient: what is checked, with the bound of its error.
        verdict: AGREES, DIFFERS, KINK or BLIND.
        quotients: the quotient that decided; at a kink those to the right and to the left, where there are any.
        kinks: the nodes that have a kink there.
        whole: the check by a whole 1.
    """

    input: int
    gradient: Sure
    verdict: str
    quotients: Sequence[Quotient]
    kinks: Sequence[int]
    whole: Whole


# Steps are powers of 4, from 1/64 of the scale down to where they are a few units in the last place.
_RATIO = 4.0
_LARGEST, _SMALLEST = -3, -26
# An estimate of the truncation from shorter steps is taken so many times.
_SAFETY = 2.0
# So many operations may be carried out for all inputs together; for one, no fewer steps are tried than these.
_BUDGET = 300_000
_FEWEST_STEPS = 6
# What it costs to copy a node that does not depend on the input, beside an operation.
_COPYING = 0.1
# A whole 1 may be off by so much for x + 1 being rounded.
_SLIP = 1e-6


def checks(evaluation: Evaluation) -> Iterator[Check]:
    """Yield a check of the gradient of each input, in order; of a long program with many, of the first ones only.

    Args:
        evaluation: from ``evaluate``.
    """
    around = _Neighbourhood(evaluation)
    inputs = list(evaluation.program.inputs.values())
    budget = float(_BUDGET)
    for done, index in enumerate(inputs):
        mover = _Mover(around, index)
        affordable = int(budget / (len(inputs) - done) / mover.cost)
        if done and affordable < _FEWEST_STEPS and mover.cost * _FEWEST_STEPS > budget:
            return
        ladder = _ladder(mover.x)
        ladder = ladder[:: math.ceil(len(ladder) / max(_FEWEST_STEPS, affordable)) or 1]
        budget -= mover.cost * len(ladder)
        yield _check(mover, ladder)


def _ladder(x: float) -> list[float]:
    """Return the steps to try, longest first: those that are small beside 1, and those that are small beside x."""
    scales = {0, math.floor(math.log(abs(x), _RATIO))} if x and math.isfinite(x) else {0}
    powers = {scale + level for scale in scales for level in range(_SMALLEST, _LARGEST + 1)}
    steps = [math.ldexp(1.0, 2 * power) for power in sorted(powers, reverse=True)]
    return [step for step in steps if x - step < x < x + step < math.inf]


class _Neighbourhood:
    """The surroundings of a point: the program, run there."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.program = evaluation.program
        self.bounded = BoundedProgram(evaluation.program, evaluation.conventions)
        self.used = self.bounded.below(evaluation.program.output)
        point = {index: Sure(evaluation.data[index]) for index in evaluation.program.inputs.values()}
        self.start = self.bounded.run(point, only=self.used)


class _Moved(NamedTuple):
    """The output after the input was moved by a step to ``x``, and on which sides of its kink each node is there."""

    step: float
    x: float
    output: Sure
    cell: tuple[tuple[float, ...], ...]


class _Mover:
    """Moves one input, and computes again only what depends on it."""

    def __init__(self, around: _Neighbourhood, index: int) -> None:
        self.around = around
        self.index = index
        self.x = around.evaluation.data[index]
        affected = {index}
        for node in around.used:
            if not affected.isdisjoint(around.program.operands[node]):
                affected.add(node)
        self._fixed = {node: around.start.sure(node) for node in around.used if node not in affected}
        self._kinks = [(node, told) for node, told in around.bounded.kinks if node in affected]
        # Both ways.
        self.cost = 2.0 * (len(affected) + _COPYING * len(around.used))

    def by(self, step: float) -> _Moved:
        """Return the output after the input has moved by ``step``."""
        x, around = self.x + step, self.around
        ran = around.bounded.run({self.index: Sure(x)}, forced=self._fixed, only=around.used)
        output = ran.sure(around.program.output)
        if output.state != FINE:
            return _Moved(step, x, output, ())
        sides = [ran.sides(node, told) for node, told in self._kinks]
        return _Moved(step, x, output, tuple(tuple(map(_sign, told)) for told in sides))

    def kinks_between(self, one: _Moved, other: _Moved) -> list[int]:
        """Return the nodes that are not on the same side of their kinks at two points."""
        nodes = [node for node, _ in self._kinks]
        return [node for node, here, there in zip(nodes, one.cell, other.cell, strict=True) if here != there]


def _sign(number: float) -> float:
    return math.copysign(1.0, number) if number else 0.0


def _check(mover: _Mover, ladder: Sequence[float]) -> Check:
    gradient = mover.around.start.derivative(mover.around.program.output, mover.index)
    here = mover.by(0.0)
    whole = _whole(mover, here, gradient)
    if here.output.state != FINE or gradient.state != FINE:
        return Check(mover.index, gradient, BLIND, (), (), whole)
    right = _one_side([mover.by(step) for step in ladder])
    left = _one_side([mover.by(-step) for step in ladder])
    ends = [side[-1] for side in (right, left) if side]
    kinks = sorted({node for end in ends for node in mover.kinks_between(here, end)})
    slopes = [_best([_quotient(here, move) for move in side]) for side in (right, left) if side]
    if not kinks:
        return _settled(mover.index, gradient, [_best(_central(right, left)), *slopes], kinks, whole)
    # A point that is not on the kink, but closer to it than the shortest step.
    own = [slope for slope, end in zip(slopes, ends, strict=True) if end.cell == here.cell]
    if own:
        return _settled(mover.index, gradient, own, kinks, whole)
    found = [slope for slope in slopes if slope is not None]
    verdicts = {_verdict(slope, gradient) for slope in found} or {BLIND}
    verdict = KINK if DIFFERS in verdicts else BLIND if BLIND in verdicts else AGREES
    return Check(mover.index, gradient, verdict, found, kinks, whole)


def _settled(
    index: int, gradient: Sure, quotients: Sequence[Quotient | None], kinks: Sequence[int], whole: Whole
) -> Check:
    """Return the check by the surest of some quotients."""
    best = min(filter(None, quotients), key=lambda quotient: quotient.error, default=None)
    if best is None:
        return Check(index, gradient, BLIND, (), kinks, whole)
    return Check(index, gradient, _verdict(best, gradient), (best,), kinks, whole)


def _verdict(quotient: Quotient, gradient: Sure) -> str:
    error = quotient.error + gradient.error
    if not error < math.inf or error > abs(gradient.number) / 2.0 > 0.0:
        return BLIND
    return AGREES if abs(quotient.slope - gradient.number) <= error else DIFFERS


def _one_side(moved: Sequence[_Moved]) -> list[_Moved]:
    """Return the moves that stay within the domain, and on the side of every kink where the shortest of them is."""
    inside = [move for move in moved if move.output.state == FINE]
    return [move for move in inside if move.cell == inside[-1].cell]


def _central(right: Sequence[_Moved], left: Sequence[_Moved]) -> list[Quotient]:
    """Return the quotients over steps that go both ways."""
    other = {-move.step: move for move in left}
    return [_quotient(other[move.step], move) for move in right if move.step in other]


def _quotient(one: _Moved, other: _Moved) -> Quotient:
    """Return the slope between two points, with the bound of its rounding error."""
    low, high = sorted((one, other), key=lambda move: move.step)
    span = high.x - low.x
    rise = high.output.number - low.output.number
    slope = rise / span
    if not math.isfinite(slope):
        return Quotient(-low.step, high.step, slope, math.inf)
    rounding = (high.output.error + low.output.error + ROUNDOFF * abs(rise)) / span
    return Quotient(-low.step, high.step, slope, rounding + 2.0 * ROUNDOFF * abs(slope))


def _best(quotients: Sequence[Quotient]) -> Quotient | None:
    """Return the quotient with the smallest bound, truncation included; None if no two shorter steps bear one out.

    A long step may look smooth to two others by chance (sin(1000*x)); then one of the shorter ones is against it.

    Args:
        quotients: over ever shorter steps, with the bounds of their rounding errors.
    """
    best = None
    for place, quotient in enumerate(quotients[:-2]):
        shorter = quotients[place + 1 :]
        truncation = _SAFETY * max(abs(quotient.slope - other.slope) for other in shorter[:2])
        error = quotient.error + truncation
        if (best is None or error < best.error) and all(
            abs(quotient.slope - other.slope) <= error + other.error for other in shorter
        ):
            best = quotient._replace(error=error)
    return best


def _whole(mover: _Mover, here: _Moved, gradient: Sure) -> Whole:
    moved = mover.by(1.0)
    change = moved.output.number - here.output.number
    whole = Whole(moved.x, moved.output.number, change, AGREES)
    if not math.isfinite(change):
        at = mover.x if here.output.state != FINE else moved.x
        return whole._replace(reason=OUTSIDE, why=_fault(mover, at))
    # How far it is from 1 that the input has moved, x + 1 being rounded.
    slip = abs(moved.x - mover.x - 1.0)
    error = moved.output.error + here.output.error + ROUNDOFF * abs(change) + gradient.error
    error += slip * abs(gradient.number)
    if slip > _SLIP or error > abs(gradient.number) / 2.0 > 0.0:
        return whole._replace(reason=LOST)
    if abs(change - gradient.number) <= error:
        return whole
    kinks = mover.kinks_between(here, moved)
    return whole._replace(reason=BEYOND_A_KINK, kinks=kinks) if kinks else whole._replace(reason=CURVED)


def _fault(mover: _Mover, x: float) -> str:
    """Return why there is no finite number where the input is ``x``."""
    evaluation = mover.around.evaluation
    point = {name: evaluation.data[index] for name, index in evaluation.program.inputs.items()}
    moved = next(name for name, index in evaluation.program.inputs.items() if index == mover.index)
    try:
        lower(evaluation.program, point | {moved: x}, evaluation.conventions)
    except MathError as fault:
        return str(fault)
    return f"at {moved} = {x:g} the result is not finite"
