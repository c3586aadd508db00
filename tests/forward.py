"""Forward mode in 50 digits and more: derivatives by rules that are written here a second time, for mpmath."""

from __future__ import annotations

from typing import Any

from mpmath import mp, mpf


class Dual:
    """A number and its derivative, in 50 digits: forward mode, by rules written here a second time."""

    def __init__(self, number: Any, slope: Any = 0) -> None:
        self.number, self.slope = mpf(number), mpf(slope)

    def __add__(self, other: Any) -> Dual:
        other = dual(other)
        return Dual(self.number + other.number, self.slope + other.slope)

    def __neg__(self) -> Dual:
        return Dual(-self.number, -self.slope)

    def __sub__(self, other: Any) -> Dual:
        return self + -dual(other)

    def __mul__(self, other: Any) -> Dual:
        other = dual(other)
        return Dual(self.number * other.number, self.slope * other.number + self.number * other.slope)

    def __truediv__(self, other: Any) -> Dual:
        other = dual(other)
        quotient = self.number / other.number
        return Dual(quotient, (self.slope - quotient * other.slope) / other.number)

    def __pow__(self, exponent: float) -> Dual:
        exponent = mpf(exponent)
        return Dual(self.number**exponent, exponent * self.number ** (exponent - 1) * self.slope)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: Any) -> Dual:
        return dual(other) - self

    def __rtruediv__(self, other: Any) -> Dual:
        return dual(other) / self


def dual(number: Any) -> Dual:
    return number if isinstance(number, Dual) else Dual(number)


def lifted(function: Any, slope: Any) -> Any:
    def apply(operand: Any) -> Dual:
        operand = dual(operand)
        return Dual(function(operand.number), slope(operand.number) * operand.slope)

    return apply


def extreme(sign: int) -> Any:
    def apply(*operands: Any) -> Dual:
        return max(map(dual, operands), key=lambda operand: sign * operand.number)

    return apply


def sigmoid(a: Any) -> Any:
    return 1 / (1 + mp.exp(-a))


FORWARD = {
    "exp": lifted(mp.exp, mp.exp),
    "log": lifted(mp.log, lambda a: 1 / a),
    "relu": lifted(lambda a: max(a, mpf(0)), lambda a: 1 if a > 0 else 0),
    "tanh": lifted(mp.tanh, lambda a: mp.sech(a) ** 2),
    "sqrt": lifted(mp.sqrt, lambda a: 1 / (2 * mp.sqrt(a))),
    "cbrt": lifted(lambda a: mp.sign(a) * mp.cbrt(abs(a)), lambda a: 1 / (3 * mp.cbrt(abs(a)) ** 2)),
    "log1p": lifted(mp.log1p, lambda a: 1 / (1 + a)),
    "log2": lifted(lambda a: mp.log(a, 2), lambda a: 1 / (a * mp.log(2))),
    "log10": lifted(mp.log10, lambda a: 1 / (a * mp.log(10))),
    "expm1": lifted(mp.expm1, mp.exp),
    "sin": lifted(mp.sin, mp.cos),
    "cos": lifted(mp.cos, lambda a: -mp.sin(a)),
    "tan": lifted(mp.tan, lambda a: mp.sec(a) ** 2),
    "asin": lifted(mp.asin, lambda a: 1 / mp.sqrt(1 - a * a)),
    "acos": lifted(mp.acos, lambda a: -1 / mp.sqrt(1 - a * a)),
    "atan": lifted(mp.atan, lambda a: 1 / (1 + a * a)),
    "sinh": lifted(mp.sinh, mp.cosh),
    "cosh": lifted(mp.cosh, mp.sinh),
    "asinh": lifted(mp.asinh, lambda a: 1 / mp.sqrt(1 + a * a)),
    "acosh": lifted(mp.acosh, lambda a: 1 / mp.sqrt(a * a - 1)),
    "atanh": lifted(mp.atanh, lambda a: 1 / (1 - a * a)),
    "abs": lifted(abs, mp.sign),
    "sigmoid": lifted(sigmoid, lambda a: 1 / (2 + mp.exp(a) + mp.exp(-a))),
    "softplus": lifted(lambda a: mp.log1p(mp.exp(a)), sigmoid),
    "erf": lifted(mp.erf, lambda a: 2 / mp.sqrt(mp.pi) * mp.exp(-a * a)),
    "max": extreme(1),
    "min": extreme(-1),
}
"""Every function of the language, on Duals. Literals in a text are doubles, as they are for minigrad."""
