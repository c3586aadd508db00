"""The words that the texts of rules are made of, beside Python's arithmetic."""

from __future__ import annotations

import math
from typing import Any

from minigrad import kernels

VOCABULARY: dict[str, Any] = {
    name: getattr(math, name)
    for name in (
        *("exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan"),
        *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "hypot", "pow", "copysign", "inf"),
    )
}
VOCABULARY.update({name: getattr(kernels, name) for name in kernels.__all__}, abs=abs, max=max)
"""The functions and constants that a rule's text may use, with what they mean."""
