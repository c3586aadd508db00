"""Derivatives in symbols: the sum over all paths, from the output to an input, of the product of the local derivatives.

One path, one term: the multivariate chain rule written out.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from minigrad_grammar.lowering import reached

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from minigrad_grammar.program import Program

MOST_PATHS = 24
"""So many terms are written out."""

MOST_COUNTED = 10**9
"""Paths are counted up to so many."""

_LONGEST_PATH = 40
"""A term has at most so many factors."""


class Path(NamedTuple):
    """A way from the output to an input, and the product of the local derivatives along it.

    Attributes:
        nodes: those on the way, both ends included.
        negative: whether the product has a minus before it.
        factors: those of the product that are not 1; "0" alone for 0.
    """

    nodes: list[int]
    negative: bool
    factors: list[str]

    @property
    def formula(self) -> str:
        """The product."""
        one = self.factors[0] if len(self.factors) == 1 else ""
        loose = " if " in one or (self.negative and is_sum(one))
        product = one if one and not loose else "*".join(map(factor, self.factors)) or "1"
        return f"-{product}" if self.negative else product


class Derivative(NamedTuple):
    """The derivative of the output by an input, in symbols.

    Attributes:
        input: its instruction.
        formula: the sum of the terms that are written out.
        paths: those that are written out, in the order in which their contributions arrive.
        number: how many there are, or MOST_COUNTED.
    """

    input: int
    formula: str
    paths: list[Path]
    number: int

    @property
    def whole(self) -> bool:
        """Whether every term is written out."""
        return len(self.paths) == self.number


def derivatives(program: Program, slopes: Callable[[int], Sequence[str]] | None = None) -> list[Derivative]:
    """Return the derivative by each input, in symbols over the names of nodes.

    Args:
        program: with its tanh as the conventions have it.
        slopes: gives the texts of a node's local derivatives; None for the formulas of the table of rules.
    """
    users = _users(program)
    count = _path_counts(program, users)
    written = cache(slopes or program.slope_texts)
    return [_derivative(index, users, count.get(index, 0), written) for index in program.inputs.values()]


# For each node, who uses it and by which of their local derivatives; the last in the program first.
_Users = dict[int, list[tuple[int, int]]]


def _users(program: Program) -> _Users:
    used = reached(program, program.output)
    users: _Users = {program.output: []}
    for user in range(program.output, -1, -1):
        if used[user]:
            for nth, place in enumerate(program.wanted(user)):
                users.setdefault(program.operands[user][place], []).append((user, nth))
    return users


def _path_counts(program: Program, users: _Users) -> dict[int, int]:
    """Return for each node that the output depends on how many paths there are."""
    count = {program.output: 1}
    for node in sorted(users, reverse=True):
        if node != program.output:
            count[node] = min(sum(count[user] for user, _ in users[node]), MOST_COUNTED)
    return count


def _derivative(index: int, users: _Users, count: int, slopes: Callable[[int], Sequence[str]]) -> Derivative:
    paths = []
    for path in islice(_paths(index, users), MOST_PATHS) if count else ():
        found = _path([*(user for user, _ in path), index], [slopes(user)[nth] for user, nth in path])
        if len(found.factors) > _LONGEST_PATH:
            break
        paths.append(found)
    return Derivative(index, _sum([path.formula for path in paths]), paths, count)


def _paths(index: int, users: _Users) -> Iterator[list[tuple[int, int]]]:
    """Yield the paths from the output down to a node that it depends on: each user with its local derivative."""
    path: list[tuple[int, int]] = []
    rest = [iter(users[index])]
    if not users[index]:
        yield []
    while rest:
        following = next(rest[-1], None)
        if following is None:
            rest.pop()
            path = path[:-1]
            continue
        path.append(following)
        if users[following[0]]:
            rest.append(iter(users[following[0]]))
        else:
            yield path[::-1]
            path.pop()


def factor(formula: str) -> str:
    """Return a formula as it stands in a product: in brackets unless it holds together so tightly itself."""
    return f"({formula})" if re.search(r"[-−+/÷ ]", _outermost(formula)) else formula


def _outermost(formula: str) -> str:
    """Return a formula without what is in brackets, and without the signs of exponents."""
    outer, before = formula, ""
    while outer != before:
        outer, before = re.sub(r"\([^()]*\)", "", outer), outer
    return re.sub(r"(?:\*\*|[eE])[-+]", "", outer)


def is_sum(formula: str) -> bool:
    """Whether a formula must be in brackets before a sign or another term can be put before it."""
    return bool(re.search(r"[-−+ ]", _outermost(formula)))


def _path(nodes: list[int], slopes: Sequence[str]) -> Path:
    """Return a path, its product with one sign before it, and without factors of 1."""
    negative = False
    factors = []
    for slope in slopes:
        bare = slope[1:] if slope[0] == "-" and not is_sum(slope[1:]) else slope
        negative ^= bare != slope
        if bare == "0":
            return Path(nodes, False, ["0"])
        if bare != "1":
            factors.append(bare)
    return Path(nodes, negative, factors)


def _sum(terms: Sequence[str]) -> str:
    total = ""
    for term in terms:
        if total and term != "0":
            total += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
        elif term != "0":
            total = term
    return total or "0"
