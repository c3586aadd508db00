"""Programs run with a running error bound at every node: a forward pass, and reverse sweeps from any node of it.

Only what needs the bounds comes here: it costs several times a plain evaluation.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from minigrad.bounds import ROUNDOFF, bound_step, contribution_bound, with_errors
from minigrad.kernels import SMALLEST
from minigrad.steps import ARITHMETIC_FAULTS, evaluated, step
from minigrad_grammar.lowering import reached
from minigrad_grammar.names import CONSTANTS
from minigrad_grammar.program import CONSTANT, INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from minigrad.bounds import BoundStep
    from minigrad.choices import Conventions
    from minigrad.rules import Rule
    from minigrad.steps import Step
    from minigrad_grammar.program import Program

    Kinks = Sequence[tuple[int, Callable[..., list[float]]]]

FINE, UNKNOWN, OUTSIDE = range(3)
"""What a node has at a point: a number; none that is known (an overflow, a pole, an edge of the domain within
rounding); none, for it is outside its domain by more than rounding."""


class Sure(NamedTuple):
    """A number and the bound of its error, or why there is none."""

    number: float
    error: float = 0.0
    state: int = FINE


class Fault(NamedTuple):
    """The first node without a number, and how far inside its domain it is (negative; nan if that is not the cause)."""

    at: int
    margin: float


class BoundedProgram:
    """A program ready to be run with bounds.

    The truth that they are bounds to is that of the text: a literal such as 0.1, and pi and e, are off by what their
    doubles are.

    Args:
        program: from ``parse``.
        conventions: those to run it under.
    """

    def __init__(self, program: Program, conventions: Conventions) -> None:
        self.program = program
        self.conventions = conventions
        self._steps = [_compiled(kind.rule, conventions) for kind in program.kinds]
        self._literals = {
            index: Sure(number, _literal_error(program, index)) for index, number in program.literals.items()
        }
        self._below: dict[int, list[int]] = {}

    @cached_property
    def kinks(self) -> Kinks:
        """The nodes that depend on a variable and may have a kink, with a function that tells its sides."""
        program = self.program
        sides = [
            evaluated(kind.rule, kind.rule.kinks, self.conventions) if kind.rule.kinks and kind.wanted else None
            for kind in program.kinds
        ]
        return [(index, told) for index, kind in enumerate(program.kind_of) if (told := sides[kind]) is not None]

    def below(self, top: int) -> list[int]:
        """Return ``top`` and all that it is computed from, in evaluation order."""
        if top not in self._below:
            used = reached(self.program, top)
            self._below[top] = [index for index in range(top + 1) if used[index]]
        return self._below[top]

    def run(
        self,
        inputs: Mapping[int, Sure],
        forced: Mapping[int, Sure] | None = None,
        only: Sequence[int] | None = None,
    ) -> BoundedPass:
        """Run the program forward.

        Args:
            inputs: what each variable's instruction has; those with a default may be left out.
            forced: nodes to take as given rather than to compute.
            only: the nodes to compute, with all that they need, in order; the others are unknown. None for all.
        """
        result = BoundedPass(self)
        append = result.append
        kind_of, operands = self.program.kind_of, self.program.operands
        for index in range(len(kind_of)) if only is None else only:
            # What is left out in between is unknown.
            while len(result.data) < index:
                append(_LEFT_OUT)
            if forced and index in forced:
                append(forced[index])
                continue
            compiled = self._steps[kind_of[index]]
            if compiled is None:
                append(self._leaf(index, inputs, result))
            else:
                self._operate(index, *compiled, operands[index], result)
        while len(result.data) < len(kind_of):
            append(_LEFT_OUT)
        return result

    def _leaf(self, index: int, inputs: Mapping[int, Sure], result: BoundedPass) -> Sure:
        """Return a constant, or what a variable has."""
        if index in self._literals:
            return self._literals[index]
        return inputs[index] if index in inputs else result.sure(self.program.default_of[index])

    def _operate(self, index: int, compute: Step, bound: BoundStep, places: Sequence[int], result: BoundedPass) -> None:
        """Append the number of an operation, its local derivatives, and the bounds of their errors."""
        data, errors = result.data, result.errors
        operands = [data[place] for place in places]
        bounds = [errors[place] for place in places]
        try:
            c, local = compute(*operands)
            e, slopes = bound(operands, bounds, c, local)
        except ARITHMETIC_FAULTS:
            c, e, local, slopes = self._at_an_edge(index, operands, bounds, result)
        if math.isfinite(c):
            result.append(Sure(c, e), local, slopes)
        else:
            state = result.explain(index, [result.states[place] for place in places])
            result.append(Sure(math.nan, math.inf, state))

    def _at_an_edge(
        self, index: int, operands: Sequence[float], errors: Sequence[float], result: BoundedPass
    ) -> tuple[float, float, list[float], list[float]]:
        """Return what there is of a node with an infinite local derivative: its number, if its operands are exact."""
        rule = self.program.rule(index)
        try:
            c, _ = step(rule, (), self.conventions)(*operands)
        except ARITHMETIC_FAULTS:
            return math.nan, math.inf, _NONE, _NONE
        result.singular.add(index)
        unsure = [math.inf] * len(rule.partials)
        own, _ = bound_step(rule, self.conventions)(operands, [0.0] * len(operands), c, [])
        return c, math.inf if any(errors) else own, unsure, unsure


_NONE: list[float] = []
_LEFT_OUT = Sure(math.nan, math.inf, UNKNOWN)


class BoundedPass:
    """A forward pass. Every list has an entry for each instruction.

    Attributes:
        bounded: the program that was run.
        data: the numbers; nan where there is none.
        errors: the bounds of their errors.
        local: the local derivatives by every operand that has one; none where there is no number.
        local_errors: the bounds of their errors.
        states: FINE, UNKNOWN or OUTSIDE.
        faults: the nodes that have no number although all their operands do.
        singular: the nodes with a number and an infinite local derivative, which is a fault even where 0 multiplies it.
    """

    def __init__(self, bounded: BoundedProgram) -> None:
        self.bounded = bounded
        self.data: list[float] = []
        self.errors: list[float] = []
        self.local: list[list[float]] = []
        self.local_errors: list[list[float]] = []
        self.states = bytearray()
        self.faults: list[Fault] = []
        self.singular: set[int] = set()
        self._gradients: dict[int, tuple[list[float], list[float]]] = {}

    def append(self, sure: Sure, local: list[float] = _NONE, local_errors: list[float] = _NONE) -> None:
        """Append what is known of the next instruction."""
        self.data.append(sure.number)
        self.errors.append(sure.error)
        self.states.append(sure.state)
        self.local.append(local)
        self.local_errors.append(local_errors)

    def rerun(self, forced: Mapping[int, Sure]) -> BoundedPass:
        """Return a pass at the same point with some nodes taken as given."""
        inputs = {index: self.sure(index) for index in self.bounded.program.inputs.values()}
        return self.bounded.run(inputs, forced=forced)

    def sure(self, index: int) -> Sure:
        """Return a node's number, bound and state."""
        return Sure(self.data[index], self.errors[index], self.states[index])

    def derivative(self, top: int, by: int) -> Sure:
        """Return the derivative of node ``top`` by node ``by``."""
        if top not in self._gradients:
            self._gradients[top] = self.sweep(top)
        grads, errors = self._gradients[top]
        return self._settled(top, grads[by], errors[by]) if by <= top else Sure(0.0, 0.0, self.states[top])

    def _settled(self, top: int, number: float, error: float) -> Sure:
        if self.states[top] != FINE:
            return Sure(math.nan, math.inf, self.states[top])
        if not math.isfinite(number):
            return Sure(math.nan, math.inf, UNKNOWN)
        return Sure(number, error if error < math.inf else math.inf)

    def sweep(
        self,
        top: int,
        edited: Mapping[tuple[int, int], Sure] | None = None,
        assigned: bool = False,
    ) -> tuple[list[float], list[float]]:
        """Run a reverse sweep from ``top``; return the gradient of every node up to it, and the bounds of their errors.

        Args:
            top: the node that the others are to be differentiated from.
            edited: other local derivatives, by (node, place of the operand).
            assigned: whether contributions replace each other (=), as in a common slip, rather than add up (+=).
        """
        operands = self.bounded.program.operands
        grads, errors = [0.0] * (top + 1), [0.0] * (top + 1)
        grads[top] = 1.0
        for index in reversed(self.bounded.below(top)):
            upstream, upstream_error = grads[index], errors[index]
            if upstream == 0.0 == upstream_error and not assigned and index not in self.singular:
                continue
            slopes = zip(operands[index], self.local[index], self.local_errors[index])  # noqa: B905  # not of an exponent
            for place, (operand, slope, slope_error) in enumerate(slopes):
                if edited is not None and (index, place) in edited:
                    slope, slope_error, _ = edited[index, place]  # noqa: PLW2901
                if slope == 0.0 == slope_error and not assigned:
                    continue
                contribution = slope * upstream
                error = contribution_bound(slope, slope_error, upstream, upstream_error)
                if assigned:
                    grads[operand], errors[operand] = contribution, error
                else:
                    total = grads[operand] + contribution
                    if grads[operand] != 0.0:
                        error += ROUNDOFF * abs(total)
                    grads[operand] = total
                    errors[operand] += error
        return grads, errors

    def explain(self, index: int, states: Sequence[int]) -> int:
        """Return why the node ``index`` has no number, given the states of its operands; remember where it began."""
        if any(states):
            return max(states)
        program = self.bounded.program
        rule = program.rule(index)
        places = program.operands[index]
        margin = self._margin(rule, places)
        self.faults.append(Fault(index, margin[0]))
        return OUTSIDE if margin[1] < 0.0 else UNKNOWN

    def _margin(self, rule: Rule, places: Sequence[int]) -> tuple[float, float]:
        """Return how far inside its domain a node is (negative), and the most that its operands' errors allow."""
        operands = [self.data[place] for place in places]
        errors = [self.errors[place] for place in places]
        conventions = self.bounded.conventions
        for limit in rule.limits:
            if limit.margin and not evaluated(rule, limit.holds, conventions)(operands, math.nan):
                margin = with_errors(rule, limit.margin, conventions)
                first, *rest = operands
                ends = (first - errors[0], first + errors[0])
                nearest = max(margin([end, *rest], errors, math.nan, ()) for end in ends)
                return margin(operands, errors, math.nan, ()), nearest
        return math.nan, math.nan

    def sides(self, index: int, told: Callable[..., list[float]]) -> list[float]:
        """Return the sides of a node's kink: numbers whose signs say on which side of it the operands are."""
        operands = [self.data[place] for place in self.bounded.program.operands[index]]
        return told(operands, self.data[index])

    def reach(self, index: int) -> float:
        """Return how far off the sides of a node's kink may be: the sum of its operands' bounds."""
        return sum([self.errors[place] for place in self.bounded.program.operands[index]])

    def near(self, index: int, sides: Sequence[float]) -> bool:
        """Whether the operands of a node are at its kink, as far as their errors let one know."""
        reach = self.reach(index)
        return not all([abs(side) > reach for side in sides])


def _compiled(rule: Rule, conventions: Conventions) -> tuple[Step, BoundStep] | None:
    """Return the step of a rule by all its differentiable operands, and its bounds; None for leaves."""
    if rule in (INPUT, CONSTANT):
        return None
    if not rule.variadic:
        return step(rule, tuple(range(len(rule.partials))), conventions), bound_step(rule, conventions)

    def of_any_number(*operands: float) -> tuple[float, list[float]]:
        return step(rule, tuple(range(len(operands))), conventions)(*operands)

    return of_any_number, bound_step(rule, conventions)


def _literal_error(program: Program, index: int) -> float:
    """Return how far the double of a literal may be from what is written."""
    number = program.literals[index]
    text = program.literal_text(index)
    return 0.0 if number == 0.0 or _is_exact(text, number) else max(math.ulp(number) / 2.0, SMALLEST)


def _is_exact(text: str, number: float) -> bool:
    """Whether a double is just the decimal number that ``text`` writes; no name of a constant is."""
    if text in CONSTANTS:
        return False
    mantissa, _, exponent = text.partition("e")
    whole, _, part = mantissa.partition(".")
    power = int(exponent or 0) - len(part)
    above, below = number.as_integer_ratio()
    return bool(int(whole + part) * below * 10 ** max(power, 0) == above * 10 ** max(-power, 0))
