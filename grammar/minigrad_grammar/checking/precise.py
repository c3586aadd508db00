"""The same point again in 60 digits, where doubles lose too many to say anything: with mpmath, where it is installed.

Every number is exact but for rounding, which is some 1e-44 of what it is in doubles. So the running bound of the
doubles, scaled down, bounds these numbers too.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

from minigrad.kernels import tie_shares
from minigrad.rules import RULES
from minigrad_grammar.bounded import Sure
from minigrad_grammar.checking.trial import REFUTES, SAFETY, SHARP, SILENT, SUPPORTS, Case, Trial
from minigrad_grammar.program import CONSTANT, INPUT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from minigrad.rules import Rule
    from minigrad_grammar.bounded import BoundedPass, Kinks
    from minigrad_grammar.program import Program

DIGITS = 60

SCALE = 1e-40
"""The errors of numbers in 60 digits are below this part of the bounds of doubles: 1e-60 / 2**-53, and room for the
functions' own."""

NOTHING = 1e-20
"""Two numbers within their bounds of 0 are both taken for 0, if the bounds are below this."""

_LEAST = 1e-250

# Beyond this size an exponential would take ages to compute, and so would a sine.
_LARGEST = 1e9


def is_available() -> bool:
    """Whether mpmath is installed."""
    import importlib.util

    return importlib.util.find_spec("mpmath") is not None


def lost_digits(trial: Trial) -> bool:
    """Whether it is for lost digits that a silent trial says nothing: not for underflow, and its bounds are known."""
    return _LEAST < trial.truth.error + trial.claimed.error < math.inf


def sharpened(case: Case, trial: Trial) -> Trial:
    """Return a silent trial decided in 60 digits, or as it was where that is not possible."""
    # Where logarithms are clamped, and on a kink, a convention has a say that mpmath does not know.
    if trial.told is None or case.bounded.conventions.log_domain == "clamp" or not lost_digits(trial):
        return trial
    reach = SAFETY * (trial.truth.error + trial.claimed.error) * SCALE
    import mpmath

    with mpmath.workdps(DIGITS):
        try:
            data = _forward(case.bounded.program, _exactly(trial.ran))
            inputs = {index: data[node] for index, node in case.claim.used.items()}
            right = _forward(case.claim.right, inputs)
            cell = _cell(trial.ran, case.kinks, data), _cell(trial.told, case.right.kinks, right)
            truth, claimed = _truth(case, data), right[case.claim.right.output]
            if case.reference is not None:
                claimed = _truth(case, _forward(case.bounded.program, _exactly(case.reference)))
            known = all(isinstance(number, mpmath.mpf) for number in (truth, claimed))
        except (ArithmeticError, ValueError, TypeError, AttributeError):
            return trial  # a number that only doubles have: complex, or no number at all
        if not known or cell[0] is None or cell[1] is None:
            return trial
        distance, largest = abs(truth - claimed), max(abs(truth), abs(claimed))
        verdict = SILENT
        if distance > reach:
            verdict = REFUTES
        elif reach <= SHARP * largest or largest <= reach <= NOTHING:
            verdict = SUPPORTS
        return trial._replace(
            verdict=verdict,
            truth=_rounded(truth, trial.truth.error),
            claimed=_rounded(claimed, trial.claimed.error),
            cell=(*cell[0], *cell[1]),
        )


def _rounded(number: Any, bound: float) -> Sure:
    """Return a number as a double, with its bound, given that of the doubles."""
    nearest = float(number)
    return Sure(nearest, max(bound * SCALE, math.ulp(nearest) / 2.0 if nearest else 0.0))


def _cell(passed: BoundedPass, kinks: Kinks, data: Sequence[Any]) -> tuple[bool, ...] | None:
    """Return on which side of every kink the point of a pass lies; None if it lies on one."""
    sides: list[bool] = []
    for index, measure in kinks:
        operands = [data[place] for place in passed.bounded.program.operands[index]]
        here = measure(operands, data[index])
        if any(abs(side) <= passed.reach(index) * SCALE for side in here):
            return None
        sides += [bool(side > 0) for side in here]
    return tuple(sides)


def _truth(case: Case, data: list[Any]) -> Any:
    claim = case.claim
    return data[claim.node] if claim.by is None else _derivative(case, data, claim.node, claim.by)


def _exactly(ran: BoundedPass) -> dict[int, Any]:
    """Return the numbers of the variables at a pass, as they are; None for one that no double is.

    A default is left out: it is computed in 60 digits like everything else.
    """
    import mpmath

    program = ran.bounded.program
    exact = {index: None if ran.errors[index] else mpmath.mpf(ran.data[index]) for index in program.inputs.values()}
    defaults = program.default_of
    return {
        index: number
        for index, number in exact.items()
        if index not in defaults or ran.data[index] != ran.data[defaults[index]]
    }


def _forward(program: Program, inputs: Mapping[int, Any]) -> list[Any]:
    """Return the number of every instruction; None where it has none."""
    import mpmath

    functions = _functions()
    defaults = program.default_of
    data: list[Any] = []
    for index, places in enumerate(program.operands):
        rule = program.rule(index)
        if rule is INPUT:
            data.append(data[defaults[index]] if index not in inputs and index in defaults else inputs.get(index))
        elif rule is CONSTANT:
            text = program.literal_text(index)
            data.append(functions[text]() if text in functions else mpmath.mpf(text))
        else:
            operands = [data[place] for place in places]
            largest = math.inf if rule.symbol and rule is not RULES["pow"] else _LARGEST
            known = all(operand is not None and abs(operand) < largest for operand in operands)
            try:
                data.append(_computed(rule, operands) if known else None)
            except (ArithmeticError, ValueError, TypeError):
                data.append(None)
    return data


def _computed(rule: Rule, operands: Sequence[Any]) -> Any:
    """Return the result of an operation: by its formula, or by its name where it takes any number of operands."""
    if rule.variadic:
        return _functions()[rule.name](*operands)
    return _by_text(rule, rule.formula, operands)


def _by_text(rule: Rule, text: str, operands: Sequence[Any]) -> Any:
    """Return the number of a text of a row as a person writes it."""
    import mpmath

    names = _functions() | dict(zip(rule.operands, operands, strict=True)) | {"pi": mpmath.pi}
    return eval(_compiled(text), {"__builtins__": {}}, names)


def _derivative(case: Case, data: list[Any], top: int, by: int) -> Any:
    """Return the derivative of one node by another, by the slopes as a person writes them."""
    import mpmath

    program = case.bounded.program
    grads: list[Any] = [mpmath.mpf(0)] * (max(top, by) + 1)
    grads[top] = mpmath.mpf(1)
    for index in reversed(case.bounded.below(top)):
        rule, places = program.rule(index), program.operands[index]
        if rule in (INPUT, CONSTANT) or grads[index] == 0:
            continue
        operands = [data[place] for place in places]
        if rule.variadic:
            slopes = tie_shares(operands, data[index], str(case.bounded.conventions.ties))
        else:
            slopes = [_by_text(rule, slope, operands) for slope in rule.slopes]
        for place, slope in zip(places, slopes):  # noqa: B905  # an exponent has no slope
            grads[place] += slope * grads[index]
    return grads[by]


@cache
def _compiled(text: str) -> Any:
    """Compile a formula of the table of rules. It is minigrad's own text; nothing of a user's comes here."""
    return compile(text, "<formula>", "eval")


@cache
def _functions() -> dict[str, Any]:
    """Return mpmath's functions and constants by minigrad's names."""
    from mpmath import mp, mpf

    functions = {name: getattr(mp, name) for name in RULES if hasattr(mp, name)}
    return functions | {
        "abs": abs,
        "relu": lambda a: max(a, mpf(0)),
        "cbrt": lambda a: mp.sign(a) * mp.cbrt(abs(a)),
        "log2": lambda a: mp.log(a, 2),
        "sigmoid": lambda a: 1 / (1 + mp.exp(-a)),
        "softplus": lambda a: mp.log1p(mp.exp(a)),
        "max": max,
        "min": min,
        "pi": lambda: +mp.pi,
        "π": lambda: +mp.pi,
        "tau": lambda: 2 * mp.pi,
        "τ": lambda: 2 * mp.pi,
        "e": lambda: mp.e + 0,
    }
