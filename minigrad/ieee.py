"""IEEE 754 arithmetic for the texts of rules: what Python's operators and math module refuse, given as C gives it.

Only needed once a fault has happened; plain steps never pay for it.
"""

from __future__ import annotations

import ast
import math
from functools import cache
from typing import TYPE_CHECKING, Any

from minigrad import kernels
from minigrad.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType


def divide(a: float, b: float) -> float:
    """Return a/b; at b = 0 an infinity with the sign of both, or nan for 0/0 and nan/0."""
    if b != 0.0:
        return a / b
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def power(a: float, n: float) -> float:
    """Return a**n as C's pow does: 0**-1 is inf, an overflow is inf, a negative base with a fraction is nan."""
    odd = n % 2.0 == 1.0 if math.isfinite(n) else False
    sign = math.copysign(1.0, a) if odd else 1.0
    if a == 0.0 and n < 0.0:
        return sign * math.inf
    try:
        return math.pow(a, n)
    except OverflowError:
        return sign * math.inf
    except ValueError:
        return math.nan


def power_slope(a: float, n: float, c: float) -> float:
    """Return the derivative of c = a**n by a, infinite or nan where kernels.power_slope would raise."""
    if n != 0.0 and (a == 0.0 or not math.isfinite(a)):
        return n * power(a, n - 1.0)
    try:
        return kernels.power_slope(a, n, c)
    except (ArithmeticError, ValueError):
        return math.copysign(math.inf, n) * math.copysign(1.0, c) * math.copysign(1.0, a)


# The only odd function that overflows; exp, expm1 and cosh go to +inf on either side.
_ODD = {"sinh"}


def _guarded(name: str, function: Callable[..., float]) -> Callable[..., float]:
    """Return a function that gives inf on overflow and nan outside its domain, instead of an exception."""

    def guarded(*arguments: float) -> float:
        try:
            return function(*arguments)
        except OverflowError:
            return math.copysign(math.inf, arguments[0]) if name in _ODD else math.inf
        except ValueError:
            return math.nan

    return guarded


@cache
def ieee_vocabulary() -> dict[str, Any]:
    """Return what the names in a rule's text mean in IEEE 754 arithmetic."""
    guarded = {
        name: _guarded(name, meaning) if getattr(meaning, "__module__", "") == "math" else meaning
        for name, meaning in VOCABULARY.items()
    }
    return guarded | {"divide": divide, "pow": power, "power_slope": power_slope}


class _Divisions(ast.NodeTransformer):
    """Rewrites x/y to divide(x, y)."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name("divide", ast.Load()), [node.left, node.right], [])


def in_ieee_arithmetic(source: str, filename: str) -> CodeType:
    """Compile a step's source so that no division raises; run it with ``ieee_vocabulary``."""
    tree = _Divisions().visit(ast.parse(source))
    return compile(ast.fix_missing_locations(tree), filename, "exec")
