"""Slips at one operation: a derivative from the table misremembered, a rule of differentiation misapplied."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from minigrad.rules import RULES
from minigrad.steps import ARITHMETIC_FAULTS, evaluated, step
from minigrad_grammar.bounded import Sure
from minigrad_grammar.checking.reasons.evidence import MOST_EDGES, Evidence, Guess, Witness, data_of, slope_of
from minigrad_grammar.checking.reasons.variants import with_rows
from minigrad_grammar.program import INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from minigrad.rules import Rule

    Edge = tuple[int, int]

TABLE_SLIPS: dict[str, tuple[tuple[str, str], ...]] = {
    "sin": (("-cos(a)", "-cos"), ("sin(a)", "sin itself"), ("-sin(a)", "-sin")),
    "cos": (("sin(a)", "+sin"), ("cos(a)", "cos itself"), ("-cos(a)", "-cos")),
    "tan": (
        ("1.0/cos(a)", "sec, without the square"),
        ("c/cos(a)", "sec*tan"),
        ("-1.0/sin(a)**2", "that of the cotangent"),
        ("1.0 - c*c", "1 - tan**2"),
        ("1.0/cos(a*a)", "1/cos(a**2)"),
        ("1.0/sin(a)**2", "1/sin**2"),
    ),
    "asin": (
        ("1.0/sqrt(1.0 + a*a)", "1/sqrt(1 + a**2), that of asinh"),
        ("-1.0/sqrt(1.0 - a*a)", "that of acos"),
        ("1.0/(1.0 - a*a)", "1/(1 - a**2), without the root"),
        ("1.0/(1.0 + a*a)", "that of atan"),
        ("1.0/cos(a)", "1/cos(a)"),
    ),
    "acos": (
        ("1.0/sqrt(1.0 - a*a)", "that of asin"),
        ("-1.0/sqrt(1.0 + a*a)", "-1/sqrt(1 + a**2)"),
        ("-1.0/(1.0 - a*a)", "-1/(1 - a**2), without the root"),
        ("-1.0/sin(a)", "-1/sin(a)"),
    ),
    "atan": (
        ("1.0/(1.0 - a*a)", "1/(1 - a**2), that of atanh"),
        ("1.0/sqrt(1.0 + a*a)", "1/sqrt(1 + a**2), with a root"),
        ("1.0/sqrt(1.0 - a*a)", "that of asin"),
        ("1.0/(1.0 + a)", "1/(1 + a), without the square"),
        ("cos(a)**2", "cos(a)**2"),
        ("-1.0/(1.0 + a*a)", "that of the inverse cotangent"),
    ),
    "sinh": (("-cosh(a)", "-cosh"), ("sinh(a)", "sinh itself"), ("cos(a)", "cos")),
    "cosh": (("-sinh(a)", "-sinh, as for cos"), ("cosh(a)", "cosh itself"), ("-sin(a)", "-sin")),
    "tanh": (
        ("1.0 + c*c", "1 + tanh**2, as for tan"),
        ("1.0/cosh(a)", "sech, without the square"),
        ("1.0 - c", "1 - tanh, without the square"),
        ("c*(1.0 - c)", "c*(1 - c), that of sigmoid"),
        ("1.0 - cosh(a)**2", "1 - cosh**2"),
        ("-1.0/cosh(a)**2", "-sech**2"),
    ),
    "asinh": (
        ("1.0/sqrt(a*a - 1.0)", "1/sqrt(a**2 - 1), that of acosh"),
        ("1.0/sqrt(1.0 - a*a)", "that of asin"),
        ("1.0/(1.0 + a*a)", "1/(1 + a**2), without the root"),
    ),
    "acosh": (
        ("1.0/sqrt(a*a + 1.0)", "1/sqrt(a**2 + 1), that of asinh"),
        ("1.0/sqrt(1.0 - a*a)", "1/sqrt(1 - a**2)"),
        ("1.0/(a*a - 1.0)", "1/(a**2 - 1), without the root"),
        ("-1.0/sqrt(a*a - 1.0)", "-1/sqrt(a**2 - 1), as for acos"),
    ),
    "atanh": (
        ("1.0/(1.0 + a*a)", "1/(1 + a**2), that of atan"),
        ("1.0/sqrt(1.0 - a*a)", "1/sqrt(1 - a**2), with a root"),
        ("1.0/(a*a - 1.0)", "1/(a**2 - 1)"),
    ),
    "exp": (("1.0/a", "1/a, that of log"), ("c - 1.0", "exp(a) - 1"), ("log(a)", "log(a)")),
    "expm1": (("c", "expm1 itself"),),
    "log": (("1.0/c", "1/log(a)"), ("c", "log itself"), ("exp(a)", "exp(a)"), ("-1.0/(a*a)", "-1/a**2")),
    "log1p": (("1.0/a", "1/a"), ("1.0/c", "1/log1p(a)")),
    "log2": (("log(2.0)/a", "log(2)/a"),),
    "log10": (("log(10.0)/a", "log(10)/a"),),
    "sqrt": (
        ("1.0/c", "1/sqrt(a), without the half"),
        ("c/2.0", "sqrt(a)/2"),
        ("-0.5/c", "-1/(2*sqrt(a))"),
        ("2.0/c", "2/sqrt(a)"),
        ("1.0/(2.0*a)", "1/(2*a), without the root"),
    ),
    "cbrt": (("1.0/(3.0*c)", "1/(3*cbrt(a)), without the square"), ("1.0/(c*c)", "1/cbrt(a)**2, without the third")),
    "sigmoid": (
        ("1.0 - c", "1 - sigmoid"),
        ("c", "sigmoid itself"),
        ("c*(1.0 + c)", "c*(1 + c)"),
        ("1.0 - c*c", "1 - c**2, that of tanh"),
        ("-c*(1.0 - c)", "-c*(1 - c)"),
        ("c*c", "c**2"),
        ("exp(-a)", "exp(-a)"),
    ),
    "softplus": (
        ("exp(a)", "exp(a)"),
        ("1.0/(1.0 + exp(a))", "1/(1 + exp(a))"),
        ("exp(-c)*(1.0 - exp(-c))", "that of sigmoid"),
        ("1.0 if a > 0 else 0.0", "that of relu"),
        ("tanh(a)", "tanh"),
    ),
    "erf": (
        ("exp(-a*a)", "exp(-a**2), without 2/sqrt(pi)"),
        ("TWO_OVER_SQRT_PI/2.0*exp(-a*a)", "exp(-a**2)/sqrt(pi), without the 2"),
        ("TWO_OVER_SQRT_PI*exp(a*a)", "the exponent's sign"),
        ("TWO_OVER_SQRT_PI*exp(-a*a/2.0)", "exp(-a**2/2)"),
        ("2.0*exp(-a*a)", "2*exp(-a**2), without 1/sqrt(pi)"),
    ),
    "relu": (("a if a > 0 else 0.0", "relu itself"),),
    "abs": (("abs(a)", "abs itself"), ("-a/abs(a)", "-a/abs(a)"), ("a", "a"), ("abs(a)/a/a", "1/a")),
}
"""Local derivatives that people write by mistake: (text as in the table of rules, what to call it)."""

_RESULT_SLIPS = {
    "tanh": "1.0 - a*a",
    "sigmoid": "a*(1.0 - a)",
    "exp": "a",
    "tan": "1.0 + a*a",
    "sqrt": "0.5/a",
    "cbrt": "1.0/(3.0*a*a)",
}
"""Local derivatives that are written with the result, and what they become with the operand in its place."""

_POWER_SLIPS = {
    "pow": (
        ("n*pow(a, n)", "the exponent was not lowered"),
        ("pow(a, n - 1.0)", "not multiplied by the exponent"),
        ("(n - 1.0)*pow(a, n - 1.0)", "multiplied by the lowered exponent"),
        ("n*pow(a, n + 1.0)", "the exponent was raised, not lowered"),
        ("n*a", "the power was left out"),
        ("(n - 1.0)*pow(a, n)", "the exponent was lowered in the wrong place"),
        ("pow(a, n - 1.0)/n", "divided by the exponent"),
    ),
    "sqrt": (("1.0/c", "not multiplied by the exponent 1/2"), ("0.5*c", "the exponent 1/2 was not lowered")),
    "cbrt": (("1.0/(c*c)", "not multiplied by the exponent 1/3"), ("c/3.0", "the exponent 1/3 was not lowered")),
    "div": (("-a/b", "the exponent -1 was not lowered"), ("-a", "the power was left out")),
}

IGNORED = {
    "relu": "relu lets nothing through here, and was passed as if it did",
    "abs": "abs was taken for its operand",
    "max": "max was passed by an operand that is not the largest",
    "min": "min was passed by an operand that is not the smallest",
}
"""What it is to ignore the gate of an operation that has one."""

_FIRST = {"forward": "operands[0]", "partials": ("[1.0] + [0.0]*(len(operands) - 1)",)}
_LAST = {"forward": "operands[-1]", "partials": ("[0.0]*(len(operands) - 1) + [1.0]",)}
_OPEN_GATES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("relu", {"forward": "a", "partials": ("1.0",)}),
    ("abs", {"forward": "a", "partials": ("1.0",)}),
    ("max", _FIRST),
    ("max", _LAST),
    ("min", _FIRST),
    ("min", _LAST),
)
"""Operations as they are without their kink."""


def steps_of(evidence: Evidence, names: Collection[str]) -> dict[str, list[Edge]]:
    """Return the steps of paths by their operation's name, for those in ``names``."""
    found: dict[str, list[Edge]] = {}
    for edge in evidence.edges:
        name = evidence.program.rule(edge[0]).name
        if name in names:
            found.setdefault(name, []).append(edge)
    return found


def by_text(evidence: Evidence, edges: Sequence[Edge], slope: str, text: str, hint: str) -> Iterator[Guess]:
    """Yield the guesses that another text was used for the slope at one step, or at every one of its kind."""

    def slopes(witness: Witness, taken: Sequence[Edge]) -> dict[Edge, float] | None:
        edits = {}
        for edge in taken:
            there = _evaluate(evidence, witness, edge[0], slope)
            if there is None:
                return None
            edits[edge] = there
        return edits

    def guess(taken: Sequence[Edge]) -> Guess:
        def predict(witness: Witness) -> Sure | None:
            edits = slopes(witness, taken)
            return None if edits is None else evidence.with_slope(witness, edits)

        return Guess(predict, text.format(evidence.equation(taken[0][0])), hint)

    for edge in edges:
        there = _evaluate(evidence, evidence.first, edge[0], slope)
        if there is not None and evidence.likely(evidence.if_slope_were(edge, there)):
            yield guess([edge])
    if 1 < len(edges) < evidence.runs():
        yield guess(edges)


LONG = 2000
"""In a longer program, slips that need a sweep each are not looked for."""


def _evaluate(evidence: Evidence, witness: Witness, index: int, text: str) -> float | None:
    """Return the number of a text about one operation; None where there is none."""
    ran = witness.ran
    operands = [ran.data[place] for place in evidence.program.operands[index]]
    rule = evidence.program.rule(index)
    try:
        number = float(evaluated(rule, text, evidence.checker.conventions)(operands, ran.data[index]))
    except (*ARITHMETIC_FAULTS, TypeError):
        return None
    return number if math.isfinite(number) else None


def table_slip(evidence: Evidence) -> Iterator[Guess]:
    """A derivative from the table of derivatives, misremembered."""
    for name, edges in steps_of(evidence, TABLE_SLIPS).items():
        for slope, called in TABLE_SLIPS[name]:
            text = f"the derivative of {name} was taken for {called}, in {{}}"
            yield from by_text(evidence, edges, slope, text, f"look up the derivative of {name}")
    # The quotient's denominator, not squared.
    quotients: dict[int, list[Edge]] = {}
    for edge in steps_of(evidence, ("div",)).get("div", []):
        quotients.setdefault(edge[0], []).append(edge)
    for index, edges in quotients.items():
        yield from _quotient_without_square(evidence, index, edges)


def _quotient_without_square(evidence: Evidence, index: int, edges: Sequence[Edge]) -> Iterator[Guess]:
    slopes, operands = evidence.first.ran.local[index], evidence.program.operands[index]
    bottom = evidence.first.ran.data[operands[1]]
    tangent = sum(slopes[place] * bottom * evidence.tangents[operands[place]] for _, place in edges)
    if not evidence.tangent_is_likely(index, tangent):
        return

    def predict(witness: Witness) -> Sure | None:
        slopes = witness.ran.local[index]
        if not slopes:
            return None
        below = witness.ran.data[evidence.program.operands[index][1]]
        return evidence.with_slope(witness, {edge: slopes[edge[1]] * below for edge in edges})

    text = f"the denominator of the quotient rule was not squared, in {evidence.equation(index)}"
    yield Guess(predict, text, "look up the quotient rule")


def operand_for_result(evidence: Evidence) -> Iterator[Guess]:
    """A derivative that is written with the result, computed with the operand."""
    for name, edges in steps_of(evidence, _RESULT_SLIPS).items():
        text = f"the derivative of {name} was computed with its operand in place of its result, in {{}}"
        hint = f"which number goes into the derivative of {name}?"
        yield from by_text(evidence, edges, _RESULT_SLIPS[name], text, hint)


def power_rule(evidence: Evidence) -> Iterator[Guess]:
    """The power rule with one of its two steps left out or done wrong."""
    for name, edges in steps_of(evidence, _POWER_SLIPS).items():
        taken = [edge for edge in edges if edge[1] == 1] if name == "div" else edges
        for slope, called in _POWER_SLIPS[name]:
            yield from by_text(evidence, taken, slope, f"the power rule: {called}, in {{}}", "look at the power rule")


def power_rule_on_exp(evidence: Evidence) -> Iterator[Guess]:
    """The power rule on an exponential: x*exp(x - 1) for exp(x), x*2**(x - 1) for 2**x."""
    by = evidence.by
    if by is None or len(evidence.program) > LONG:
        return
    for edge in steps_of(evidence, ("exp",)).get("exp", []):
        index = edge[0]
        operand = evidence.program.operands[index][0]
        text = f"the power rule was used on an exponential, in {evidence.equation(index)}"
        hint = "an exponential is no power"

        def as_a_power_of_e(witness: Witness, edge: Edge = edge, operand: int = operand) -> Sure | None:
            u = witness.ran.data[operand]
            return evidence.with_slope(witness, {edge: u * math.exp(u - 1.0)})

        def without_the_chain(witness: Witness, index: int = index, operand: int = operand) -> Sure | None:
            u = witness.ran.data[operand]
            return evidence.if_tangent_were(witness, index, u * math.exp(u - 1.0))

        def as_a_power(witness: Witness, index: int = index, operand: int = operand) -> Sure | None:
            # The base's logarithm is the slope of the exponent.
            u, rate = witness.ran.data[operand], witness.ran.derivative(operand, by).number
            return evidence.if_tangent_were(witness, index, witness.ran.data[by] * math.exp(u - rate))

        for predict in (as_a_power_of_e, without_the_chain, as_a_power):
            yield Guess(predict, text, hint)


def product_of_derivatives(evidence: Evidence) -> Iterator[Guess]:
    """F'g' for the derivative of f*g, f'/g' for that of f/g."""
    by = evidence.by
    if by is None:
        return
    for index in _nodes(evidence, ("mul", "div")):
        f, g = evidence.program.operands[index]
        if f not in evidence.between or g not in evidence.between:
            continue
        is_product = evidence.program.rule(index).name == "mul"
        of_f, of_g = evidence.tangents[f], evidence.tangents[g]
        if not evidence.tangent_is_likely(index, of_f * of_g if is_product else of_f / (of_g or math.inf)):
            continue

        def predict(
            witness: Witness, index: int = index, f: int = f, g: int = g, product: bool = is_product
        ) -> Sure | None:
            of_f, of_g = witness.ran.derivative(f, by).number, witness.ran.derivative(g, by).number
            if not product and of_g == 0.0:
                return None
            return evidence.if_tangent_were(witness, index, of_f * of_g if product else of_f / of_g)

        what = "product" if is_product else "quotient"
        text = f"the derivative of a {what} is not the {what} of the derivatives, in {evidence.equation(index)}"
        yield Guess(predict, text, f"look at the {what} rule")


def _nodes(evidence: Evidence, names: Sequence[str]) -> list[int]:
    """Return the nodes on the paths that are operations with one of some names."""
    taken = [index for index in evidence.between if index != evidence.by]
    return [index for index in taken if evidence.program.rule(index).name in names][:MOST_EDGES]


def outer_at_wrong_point(evidence: Evidence) -> Iterator[Guess]:
    """The outer derivative taken at the variable, or at the inner derivative, and not at the inner function."""
    by, program = evidence.by, evidence.program
    if by is None:
        return
    for edge in evidence.edges:
        index, place = edge
        rule, operands = program.rule(index), program.operands[index]
        inner = operands[place]
        if program.rule(inner) is INPUT or rule.name in IGNORED or (len(operands) > 1 and rule is not RULES["pow"]):
            continue
        deeper = [operand for operand in program.operands[inner] if program.live[operand] and operand != by]
        places: list[Callable[[Witness], float]] = [
            partial(data_of, index=by),
            partial(slope_of, top=inner, by=by),
            *(partial(data_of, index=operand) for operand in deeper),
        ]
        for at in places:

            def predict(
                witness: Witness, edge: Edge = edge, at: Callable[[Witness], float] = at, rule: Rule = rule
            ) -> Sure | None:
                slope = _slope_at(evidence, witness, edge[0], rule, at(witness))
                return None if slope is None else evidence.with_slope(witness, {edge: slope})

            slope = _slope_at(evidence, evidence.first, index, rule, at(evidence.first))
            if slope is not None and evidence.likely(evidence.if_slope_were(edge, slope)):
                text = f"the outer derivative, of {evidence.equation(index)}, was not taken at {evidence.name(inner)}"
                yield Guess(predict, text, "where is the outer derivative to be taken?")


def _slope_at(evidence: Evidence, witness: Witness, index: int, rule: Rule, a: float) -> float | None:
    """Return the local derivative of an operation, were its first operand another number."""
    rest = [witness.ran.data[operand] for operand in evidence.program.operands[index][1:]]
    try:
        _, (slope,) = step(rule, (0,), evidence.checker.conventions)(a, *rest)
    except ARITHMETIC_FAULTS:
        return None
    return slope if math.isfinite(slope) else None


def swapped_operands(evidence: Evidence) -> Iterator[Guess]:
    """The operands of an operation the other way round: b/a for a/b, the factor itself for the other."""
    if evidence.by is None:
        yield from _swapped_results(evidence)
        return
    on_path = set(evidence.edges)
    for index in _nodes(evidence, ("mul", "div", "sub", "pow")):
        places = [place for place in (0, 1) if (index, place) in on_path]
        for predict in (_with_swapped_operands, _with_swapped_slopes):
            other = predict(evidence, evidence.first, index)
            operands = evidence.program.operands[index]
            if other is None or not evidence.tangent_is_likely(
                index, sum(other[place] * evidence.tangents[operands[place]] for place in places)
            ):
                continue

            def guess(
                witness: Witness,
                index: int = index,
                places: Sequence[int] = places,
                predict: Callable[[Evidence, Witness, int], list[float] | None] = predict,
            ) -> Sure | None:
                slopes = predict(evidence, witness, index)
                if slopes is None:
                    return None
                return evidence.with_slope(witness, {(index, place): slopes[place] for place in places})

            yield Guess(guess, *_swapped_text(evidence, index))


def _swapped_text(evidence: Evidence, index: int) -> tuple[str, str]:
    """Return how to tell that the operands of an operation were swapped, and the hint."""
    equation = evidence.equation(index)
    if evidence.program.rule(index).name == "mul":
        return f"the derivative of a product by one factor is the other, in {equation}", "which factor is left?"
    return f"the operands are the wrong way round, in {equation}", "which operand comes first?"


def _swapped_results(evidence: Evidence) -> Iterator[Guess]:
    """Yield the guesses that one difference or quotient was computed the other way round."""
    program = evidence.program
    below = evidence.checker.bounded.below(evidence.top)
    for index in [index for index in below if program.rule(index).name in ("sub", "div")][: evidence.runs()]:

        def predict(witness: Witness, index: int = index) -> Sure | None:
            a, b = (witness.ran.sure(place) for place in program.operands[index])
            if program.rule(index).name == "sub":
                other = b.number - a.number
            elif a.number:
                other = b.number / a.number
            else:
                return None
            error = witness.ran.errors[index] * abs(other / (witness.ran.data[index] or other))
            return witness.ran.rerun({index: Sure(other, error)}).sure(evidence.top)

        yield Guess(predict, *_swapped_text(evidence, index))


def _with_swapped_operands(evidence: Evidence, witness: Witness, index: int) -> list[float] | None:
    """Return the local derivatives by a and b of the same operation on b and a."""
    rule = evidence.program.rule(index)
    a, b = (witness.ran.data[place] for place in evidence.program.operands[index])
    try:
        if rule is RULES["pow"]:
            return [math.log(b) * math.pow(b, a)]
        _, slopes = step(rule, (0, 1), evidence.checker.conventions)(b, a)
    except ARITHMETIC_FAULTS:
        return None
    return [slopes[1], slopes[0]]


def _with_swapped_slopes(evidence: Evidence, witness: Witness, index: int) -> list[float] | None:
    """Return the local derivatives by a and b, each in the place of the other."""
    slopes = witness.ran.local[index]
    return [slopes[1], slopes[0]] if len(slopes) == 2 else None


def constant_kept(evidence: Evidence) -> Iterator[Guess]:
    """A term that does not depend on the variable, kept: 2x + 5 for x**2 + 5."""
    for index, operand, factor in _terms(evidence):
        if operand not in evidence.between:
            name = evidence.program.operand_text(operand, evidence.first.ran.data)
            text = f"the term {name} was kept: it does not depend on {evidence.name(evidence.between[0])}"
            yield Guess(
                _with_term_kept(evidence, index, operand, factor), text, "a term that is constant here was kept"
            )


def term_copied(evidence: Evidence) -> Iterator[Guess]:
    """A term that was not differentiated at all: 2x + 5x for x**2 + 5x."""
    for index, operand, factor in _terms(evidence):
        if operand in evidence.between:
            text = f"the term {evidence.name(operand)} was copied, not differentiated"
            yield Guess(_with_term_kept(evidence, index, operand, factor), text, "a term was not differentiated")


def _terms(evidence: Evidence) -> Iterator[tuple[int, int, float]]:
    """Yield (sum, term, its sign) where the term, kept as it is, might give what is claimed."""
    for index in _nodes(evidence, ("add", "sub")):
        for place, operand in enumerate(evidence.program.operands[index]):
            factor = -1.0 if evidence.program.rule(index).name == "sub" and place == 1 else 1.0
            kept = factor * (evidence.first.ran.data[operand] - evidence.tangents.get(operand, 0.0))
            if evidence.tangent_is_likely(index, evidence.tangents[index] + kept):
                yield index, operand, factor


def _with_term_kept(evidence: Evidence, index: int, operand: int, factor: float) -> Callable[[Witness], Sure]:
    """Return the derivative with one term of a sum in the place of the term's derivative."""
    by = evidence.between[0]

    def predict(witness: Witness) -> Sure:
        own, term = (witness.ran.derivative(node, by).number for node in (index, operand))
        return evidence.if_tangent_were(witness, index, own + factor * (witness.ran.data[operand] - term))

    return predict


def gate_ignored(evidence: Evidence) -> Iterator[Guess]:
    """The derivative of relu, max, min or abs taken for 1 on both sides."""
    ran = evidence.first.ran
    at_a_kink = {index for index, told in evidence.checker.bounded.kinks if 0.0 in ran.sides(index, told)}
    for name, steps in steps_of(evidence, IGNORED).items():
        # At the kink itself the gate is neither open nor shut: that is a matter of convention.
        edges = [edge for edge in steps if edge[0] not in at_a_kink]
        text = f"{IGNORED[name]}, in {{}}"
        yield from by_text(evidence, edges, "1.0", text, f"on which side of its kink is {name}?")
    for name, rows in _OPEN_GATES if not at_a_kink else ():
        hint = f"on which side of its kink is {name}?"
        yield from with_rows(evidence, {RULES[name]: replace(RULES[name], **rows)}, IGNORED[name], hint)
