"""The table of rules: one row an operation, and the only place where its mathematics is written.

A row is text. ``a`` and ``b`` are the operands, ``n`` is a constant exponent, ``c`` is the result, and a convention
stands by its name (minigrad.choices). The same text is run by Values and lowered programs; it is made of Python's
arithmetic, comparisons and ``x if condition else y``, and of the names in minigrad.vocabulary. Where the
accurate way to compute is not the way a person writes it, the row has both: ``forward`` and ``partials`` are computed,
``formula`` and ``slopes`` are written, in minigrad's own language (or, at a kink, as "x if condition else y").

The row also says how far its numbers may be off: ``ulps`` for exact operands, ``drifts`` for what the operands' own
errors do. minigrad.bounds makes the running error bound of them.

docs/operations.md says what an operation needs beside its row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import SupportsIndex


class Limit(NamedTuple):
    """One edge of a rule's domain.

    Attributes:
        holds: a condition on the operands, true inside the domain.
        says: the same in words, with ``{n}`` for the exponent.
        margin: how far inside the operands are, negative outside, in the words of ``drifts``; "" for an edge of single
            points (b != 0).
        pole: a condition that is true where the result is infinite; elsewhere outside, there is no result at all.
        at_pole: the infinity that IEEE 754 has at the pole, where ``forward`` alone does not give it.
        choice: the convention that may open this edge, beside ieee.
        openings: the values of that convention which open it.
        hint: what else a user may want.
    """

    holds: str
    says: str
    margin: str = ""
    pole: str = "False"
    at_pole: str = "c"
    choice: str = ""
    openings: tuple[str, ...] = ()
    hint: str = ""


class Remark(NamedTuple):
    """What a reader should know of a node for which ``when`` is true: a convention decided, or digits were lost.

    ``when`` may speak of ``local``, the list of the local derivatives that were taken. ``choice`` is the convention
    that decided, if one did.
    """

    when: str
    says: str
    choice: str = ""


@dataclass(eq=False, repr=False)
class Rule:
    """One operation. Rows are compared by identity.

    Attributes:
        name: its name in programs, in ``op`` fields and in the library.
        operands: the names of its operands in the texts; ("operands",) for any number of them, as one sequence.
        forward: the text that computes the result.
        partials: the text of each local derivative; one for each operand that has one (an exponent has none).
            With any number of operands, a single text that gives the list of all.
        formula: the operation as a person writes it.
        slopes: the local derivatives as a person writes them.
        ulps: the worst errors measured for exact operands, in units in the last place: of the result, and of the local
            derivatives.
        drifts: for each of ``partials``, the most that it may change while the operands move within their error
            bounds. Beside the names of the other texts these have ``ea``, ``eb``, ``en``, the bounds of the operands
            (``errors``, a list, for any number of them), ``d``, the local derivative, and the words of
            minigrad.drifts.
        exact: a condition under which the result has no rounding error at all.
        spread: the most that the result may change by in that way, where it is not the sum of (abs(local) +
            drift)*error over the operands.
        nonzero: a condition on the operands under which neither the result nor a local derivative is truly 0.
        kinks: a text that gives a list of numbers: the row has a kink where one of them is 0, and is smooth while they
            keep their signs.
        aids: (name, text) of quantities computed once, before ``forward``.
        limits: the edges of its domain; none where it is defined everywhere.
        remarks: what to tell of a node, and when.
        aliases: other names it is called by.
        symbol: its operator, for the operations that are not called by name.
    """

    name: str
    operands: tuple[str, ...]
    forward: str
    partials: tuple[str, ...]
    formula: str
    slopes: tuple[str, ...]
    ulps: tuple[float, float] = (0.0, 0.0)
    drifts: tuple[str, ...] = ()
    exact: str = "False"
    spread: str = ""
    nonzero: str = "False"
    kinks: str = ""
    aids: tuple[tuple[str, str], ...] = ()
    limits: tuple[Limit, ...] = ()
    remarks: tuple[Remark, ...] = ()
    aliases: tuple[str, ...] = ()
    symbol: str = ""

    @property
    def variadic(self) -> bool:
        """Whether it takes any number of operands from two on."""
        return self.operands == ("operands",)

    @property
    def takes(self) -> str:
        """How many operands it takes, in words."""
        if self.variadic:
            return "two operands or more"
        return "one operand" if len(self.operands) == 1 else f"{len(self.operands)} operands"

    def fits(self, count: int) -> bool:
        """Whether it takes so many operands."""
        return count >= 2 if self.variadic else count == len(self.operands)

    @property
    def is_function(self) -> bool:
        """Whether programs call it by name (tanh) rather than write it with a sign (+)."""
        return not self.symbol

    def __repr__(self) -> str:
        return f"<rule {self.name}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        if _KNOWN.get(self.name) is self:
            return _known, (self.name,)
        return super().__reduce_ex__(protocol)


# minigrad's own rows, which are compared by identity: one that was pickled or copied is the row itself again.
_KNOWN: dict[str, Rule] = {}


def _known(name: str) -> Rule:
    return _KNOWN[name]


def own(rule: Rule) -> Rule:
    """Return a row of minigrad's own, remembered by its name."""
    _KNOWN[rule.name] = rule
    return rule


def _unary(
    name: str, forward: str, partial: str, slope: str, ulps: tuple[float, float], drift: str, **more: object
) -> Rule:
    """A function of one operand, written ``name(a)``."""
    return Rule(name, ("a",), forward, (partial,), f"{name}(a)", (slope,), ulps, (drift,), **more)  # type: ignore[arg-type]


def _logarithm(
    name: str, argument: str, partial: str, slope: str, ulps: tuple[float, float], says: str, **more: object
) -> Rule:
    """A logarithm of ``argument``, with the clamp written into both texts.

    Under log_domain="clamp" it is the log of max(argument, log_epsilon), whose derivative below epsilon is 0
    (as torch.clamp has it).
    """
    base = "log" if name == "log1p" else name
    clamped = f"log_domain == 'clamp' and {argument} < log_epsilon"
    return _unary(
        name,
        f"{base}(log_epsilon) if {clamped} else {name}(a)",
        f"0.0 if {clamped} else {partial}",
        slope,
        ulps,
        f"clamp_drift({argument}, d, ea, log_epsilon) if log_domain == 'clamp' else abs(d)*nearing(ea, {argument})",
        kinks=f"[{argument} - log_epsilon] if log_domain == 'clamp' else []",
        limits=(
            Limit(
                f"{argument} > 0 or log_domain == 'clamp'",
                f"{name} is defined for {says}",
                margin=argument,
                pole=f"{argument} == 0",
                at_pole="-inf",
                choice="log_domain",
                openings=("clamp", "ieee"),
            ),
        ),
        remarks=(
            Remark(
                clamped,
                "the logarithm's argument is below epsilon: the result is the log of epsilon, with derivative 0",
                "log_domain",
            ),
        ),
        **more,
    )


_INSIDE_ONE = "-1 <= a <= 1"
_BETWEEN_ONES = "-1 < a < 1"
# q is sigmoid(-|a|), at most 1/2, so that q - q*q, the slope of sigmoid, does not cancel: 3.3 ulps at the worst. The
# other way to write it, t/(1 + t)**2, is off by 4.1.
_DECAY = (("t", "exp(-abs(a))"), ("q", "t/(1.0 + t)"))
_DIVISION = {"choice": "div_by_zero", "openings": ("ieee",)}


def _underflow(nonzero: str, *others: Remark, slope: bool = True) -> dict[str, Any]:
    """The fields of a row with numbers that may be 0 although ``nonzero`` says that they should not be.

    ``others`` are its other remarks; without ``slope`` the local derivative is the result, and is not remarked on.
    """
    result = Remark(f"c == 0 and {nonzero}", "the true result is not 0, but too small for a double")
    local = Remark(f"0.0 in local and {nonzero}", "a local derivative is not 0, but too small for a double")
    return {"nonzero": nonzero, "remarks": (*others, result, *([local] if slope else []))}


def _kink(distances: str, says: str, choice: str) -> dict[str, Any]:
    """The fields of a row that has a kink where one of ``distances`` is 0; a convention decides there."""
    return {"kinks": distances, "remarks": (Remark(f"0.0 in {distances}", says, choice),)}


def _extreme(name: str, chosen: str, leads: str) -> Rule:
    """Max or min of any number of operands, one node; ``chosen`` is both the kernel and the word for the winner."""
    return Rule(
        name,
        operands=("operands",),
        forward=f"{chosen}(operands)",
        partials=("tie_shares(operands, c, ties)",),
        formula=f"{name}(a, b)",
        slopes=(f"1 if a is the {chosen} else 0",),
        drifts=(f"1.0 if undecided({leads}, errors) else 0.0",),
        **_kink(leads, f"operands of {name} tie: who gets the derivative is a choice", "ties"),
    )


TABLE = (
    Rule(
        "add",
        operands=("a", "b"),
        forward="a + b",
        partials=("1.0", "1.0"),
        formula="a + b",
        slopes=("1", "1"),
        ulps=(0.5, 0.0),
        exact="is_exact_sum(a, b, c)",
        drifts=("0.0", "0.0"),
        symbol="+",
    ),
    Rule(
        "sub",
        operands=("a", "b"),
        forward="a - b",
        partials=("1.0", "-1.0"),
        formula="a - b",
        slopes=("1", "-1"),
        ulps=(0.5, 0.0),
        exact="is_exact_sum(a, -b, c)",
        drifts=("0.0", "0.0"),
        symbol="-",
    ),
    Rule(
        "mul",
        operands=("a", "b"),
        forward="a*b",
        partials=("b", "a"),
        formula="a*b",
        slopes=("b", "a"),
        ulps=(0.5, 0.0),
        exact="is_exact_product(a, b, c)",
        drifts=("eb", "ea"),
        **_underflow("a != 0 and b != 0"),
        symbol="*",
    ),
    Rule(
        "div",
        operands=("a", "b"),
        forward="a/b",
        # -c/b keeps b*b from overflowing; a subnormal c has lost digits, and then b*b is between 5e-32 and inf.
        partials=("1.0/b", "-c/b if abs(c) >= TINY or a == 0 else -a/(b*b)"),
        formula="a/b",
        slopes=("1/b", "-a/b**2"),
        ulps=(0.5, 1.5),
        exact="is_exact_product(b, c, a)",
        drifts=("abs(d)*nearing(eb, abs(b))", "quotient_drift(a, b, d, ea, eb)"),
        limits=(Limit("b != 0", "division is defined for b != 0", pole="a != 0", **_DIVISION),),  # type: ignore[arg-type]
        **_underflow("a != 0 and abs(b) < inf"),
        symbol="/",
    ),
    Rule(
        "neg",
        operands=("a",),
        forward="-a",
        partials=("-1.0",),
        formula="-a",
        slopes=("-1",),
        drifts=("0.0",),
        symbol="-",
    ),
    Rule(
        "pow",
        operands=("a", "n"),
        forward="pow(a, n)",
        partials=("power_slope(a, n, c)",),
        formula="a**n",
        slopes=("n*a**(n - 1)",),
        ulps=(0.6, 3.6),
        exact="n == 0 or n == 1 or (n == 2 and is_exact_product(a, a, c))",
        drifts=("power_drift(a, n, d, ea, en)",),
        spread="power_spread(a, n, c, ea, en)",
        limits=(
            Limit(
                "a >= 0 or n % 1 == 0 or abs(a) == inf or abs(n) == inf",
                "a power with the exponent {n} is defined for a >= 0",
                margin="a if abs(n - round(n)) > en else inf",
                hint="for n = 1/3, cbrt(a) is the real root, of negative a too",
            ),
            Limit(
                "a != 0 or n >= 0",
                "a power with the exponent {n} is defined for a != 0",
                pole="True",
                **_DIVISION,  # type: ignore[arg-type]
            ),
        ),
        **_underflow(
            "n != 0 and a != 0 and abs(a) < inf",
            Remark("a == 0 and n > 1 and n % 1 != 0", "0 is the edge of the domain: the derivative is one-sided"),
            Remark("a == 0 and n == 0", "0**0 is taken as 1, with derivative 0, as for every other base"),
        ),
        symbol="**",
    ),
    _unary("exp", "exp(a)", "c", "exp(a)", (0.52, 0.52), "swelling(c, ea)", **_underflow("a > -inf", slope=False)),
    _logarithm("log", "a", "1.0/a", "1/a", (0.52, 0.5), "a > 0", aliases=("ln",)),
    _unary(
        "relu",
        "0.0 if a <= 0 else a",
        "1.0 if a > 0 else 0.0 if a < 0 else relu_at_zero if a == 0 else a",
        "1 if a > 0 else 0",
        (0.0, 0.0),
        "1.0 if undecided([a], [ea]) else 0.0",
        **_kink("[a]", "relu has a kink at 0: the derivative is a choice", "relu_at_zero"),
    ),
    # 1 - tanh(a)**2 loses every digit from a = 20 on. tanh(a) is 2*sigmoid(2a) - 1, so its slope is 4 times that of
    # sigmoid at 2a.
    _unary(
        "tanh",
        "tanh(a)",
        "4.0*(q - q*q)",
        "1 - tanh(a)**2",
        (2.2, 3.3),
        "swelling(d, 2.0*ea)",
        aids=(("t", "exp(-2.0*abs(a))"), ("q", "t/(1.0 + t)")),
        **_underflow("a != 0 and abs(a) < inf"),
    ),
    _unary(
        "sqrt",
        "sqrt(a)",
        "0.5/c",
        "1/(2*sqrt(a))",
        (0.5, 1.5),
        "d*nearing(ea, a)/2.0",
        exact="is_exact_product(c, c, a)",
        limits=(Limit("a >= 0", "sqrt is defined for a >= 0", margin="a"),),
        aliases=("√",),
    ),
    _unary(
        "cbrt",
        "cbrt(a)",
        "c/a/3.0 if 0 < abs(a) < inf else 1.0/(3.0*c*c)",
        "1/(3*cbrt(a)**2)",
        (0.8, 2.1),
        "d*nearing(ea, abs(a))*2.0/3.0",
        aliases=("∛",),
    ),
    _logarithm("log1p", "1.0 + a", "1.0/(1.0 + a)", "1/(1 + a)", (0.9, 1.5), "a > -1"),
    _logarithm("log2", "a", "LOG2_E/a", "1/(a*log(2))", (0.6, 0.7), "a > 0"),
    _logarithm("log10", "a", "LOG10_E/a", "1/(a*log(10))", (1.7, 0.8), "a > 0"),
    _unary(
        "expm1", "expm1(a)", "exp(a)", "exp(a)", (0.9, 0.52), "swelling(d, ea)", **_underflow("a != 0 and a > -inf")
    ),
    _unary("sin", "sin(a)", "cos(a)", "cos(a)", (0.56, 0.56), "min(abs(c)*ea + ea*ea/2.0, 2.0)"),
    _unary("cos", "cos(a)", "-sin(a)", "-sin(a)", (0.56, 0.56), "min(abs(c)*ea + ea*ea/2.0, 2.0)"),
    _unary("tan", "tan(a)", "1.0 + c*c", "1 + tan(a)**2", (0.6, 2.0), "tangent_drift(c, ea)"),
    # (1 - a)*(1 + a) is exact where 1 - a*a cancels.
    _unary(
        "asin",
        "asin(a)",
        "1.0/sqrt((1.0 - a)*(1.0 + a))",
        "1/sqrt(1 - a**2)",
        (0.52, 2.3),
        "abs(d)*nearing(ea, 1.0 - abs(a))/2.0",
        limits=(Limit(_INSIDE_ONE, f"asin is defined for {_INSIDE_ONE}", margin="1.0 - abs(a)"),),
        aliases=("arcsin",),
    ),
    _unary(
        "acos",
        "acos(a)",
        "-1.0/sqrt((1.0 - a)*(1.0 + a))",
        "-1/sqrt(1 - a**2)",
        (0.52, 2.3),
        "abs(d)*nearing(ea, 1.0 - abs(a))/2.0",
        limits=(Limit(_INSIDE_ONE, f"acos is defined for {_INSIDE_ONE}", margin="1.0 - abs(a)"),),
        aliases=("arccos",),
    ),
    # Past 1e150, a*a would overflow, and 1 + a*a is a*a to the last place long before.
    _unary(
        "atan",
        "atan(a)",
        "1.0/(1.0 + a*a) if abs(a) < 1e150 else 1.0/a/a",
        "1/(1 + a**2)",
        (0.52, 2.1),
        "swelling(d, ea*tapering(a, ea, 1.0, 2.0))",
        aliases=("arctan",),
        **_underflow("a != 0 and abs(a) < inf"),
    ),
    _unary("sinh", "sinh(a)", "cosh(a)", "cosh(a)", (1.9, 1.9), "swelling(d, ea)"),
    _unary("cosh", "cosh(a)", "sinh(a)", "sinh(a)", (1.9, 1.9), "swelling(c, ea)"),
    _unary(
        "asinh",
        "asinh(a)",
        "1.0/hypot(1.0, a)",
        "1/sqrt(a**2 + 1)",
        (1.7, 1.6),
        "swelling(d, ea*tapering(a, ea, 0.5, 1.0))",
        aliases=("arcsinh", "arsinh"),
    ),
    # Past 1e150 the product would overflow, and a*a - 1 is a*a to the last place long before.
    _unary(
        "acosh",
        "acosh(a)",
        "1.0/sqrt((a - 1.0)*(a + 1.0)) if a < 1e150 else 1.0/a",
        "1/sqrt(a**2 - 1)",
        (2.3, 2.4),
        "d*nearing(ea, a - 1.0)",
        limits=(Limit("a >= 1", "acosh is defined for a >= 1", margin="a - 1.0"),),
        aliases=("arccosh", "arcosh"),
    ),
    _unary(
        "atanh",
        "atanh(a)",
        "1.0/((1.0 - a)*(1.0 + a))",
        "1/(1 - a**2)",
        (1.7, 2.1),
        "d*nearing(ea, 1.0 - abs(a))",
        limits=(
            Limit(
                _BETWEEN_ONES,
                f"atanh is defined for {_BETWEEN_ONES}",
                margin="1.0 - abs(a)",
                pole="abs(a) == 1",
                at_pole="copysign(inf, a)",
            ),
        ),
        aliases=("arctanh", "artanh"),
    ),
    _unary(
        "abs",
        "abs(a)",
        "1.0 if a > 0 else -1.0 if a < 0 else abs_at_zero if a == 0 else a",
        "a/abs(a)",
        (0.0, 0.0),
        "2.0 if undecided([a], [ea]) else 0.0",
        **_kink("[a]", "abs has a kink at 0: the derivative is a choice", "abs_at_zero"),
    ),
    _extreme("max", "largest", "leads(operands, 1.0)"),
    _extreme("min", "smallest", "leads(operands, -1.0)"),
    _unary(
        "sigmoid",
        "1.0/(1.0 + t) if a >= 0 else q",
        "q - q*q",
        "sigmoid(a)*(1 - sigmoid(a))",
        (2.5, 3.3),
        "swelling(d, ea)",
        aids=_DECAY,
        **_underflow("abs(a) < inf"),
    ),
    _unary(
        "softplus",
        "max(a, 0.0) + log1p(t)",
        "1.0/(1.0 + t) if a >= 0 else q",
        "sigmoid(a)",
        (1.6, 2.4),
        "swelling(d, ea)",
        aids=_DECAY,
        **_underflow("abs(a) < inf"),
    ),
    # exp(-a*a) amplifies the rounding of a*a; h is a to 26 bits (Veltkamp's splitting), so that h*h is exact.
    _unary(
        "erf",
        "erf(a)",
        "0.0 if abs(a) > 28.0 else TWO_OVER_SQRT_PI*exp(-((a - h)*(a + h)))*exp(-(h*h))",
        "2/sqrt(pi)*exp(-a**2)",
        (1.0, 3.0),
        "swelling(d, 2.0*ea*(abs(a) + ea))",
        aids=(("s", "SPLITTER*a"), ("h", "s - (s - a)")),
        **_underflow("a != 0 and abs(a) < inf"),
    ),
)

RULES = {rule.name: own(rule) for rule in TABLE}
"""Every rule by its name."""

FUNCTIONS = {name: rule for rule in TABLE if rule.is_function for name in (rule.name, *rule.aliases)}
"""Every rule that programs call by name, by each of its names."""
