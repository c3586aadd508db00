"""From text to numbers: parse a program, evaluate it at a point.

>>> from minigrad_grammar import evaluate, parse
>>> result = evaluate(parse("exp(x)*y"), {"x": 1, "y": 2})
>>> result.value, result.gradient["y"]
(5.43656365691809, 2.718281828459045)
"""

from minigrad_grammar.errors import LanguageError, PointError
from minigrad_grammar.lowering import Evaluation, evaluate, lower
from minigrad_grammar.parser import parse
from minigrad_grammar.program import Program

__all__ = ["Evaluation", "LanguageError", "PointError", "Program", "evaluate", "lower", "parse"]
