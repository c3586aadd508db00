"""A Program at a point: one Value an instruction, forward and backward."""

from __future__ import annotations

import gc
import math
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING

from minigrad.choices import Conventions
from minigrad.errors import MathError
from minigrad.steps import ARITHMETIC_FAULTS, careful_step, step
from minigrad.value import Value, first_overflow, gradients_finite, new_node, sweep
from minigrad_grammar.errors import PointError
from minigrad_grammar.names import canonical, closest
from minigrad_grammar.program import CONSTANT, INPUT, Program
from minigrad_grammar.spelling import spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from minigrad.steps import Step
    from minigrad_grammar.program import Kind

_LONGEST_OPERAND = 40


@dataclass(eq=False, repr=False)
class Evaluation:
    """A program evaluated at a point.

    Attributes:
        program: what was evaluated.
        conventions: the conventions that it was evaluated under.
        data: the number of every instruction.
        values: the Value of every instruction that has a gradient; None for constants.
        output: the Value of the output.
        finite: whether every number and local derivative is known to be finite.
    """

    program: Program
    conventions: Conventions
    data: list[float]
    values: list[Value | None]
    output: Value
    finite: bool

    @cached_property
    def inputs(self) -> dict[str, Value]:
        """The variables' Values by name."""
        values = self.values
        return {name: value for name, index in self.program.inputs.items() if (value := values[index]) is not None}

    @property
    def value(self) -> float:
        """The output's number."""
        return self.output.data

    @property
    def gradient(self) -> dict[str, float]:
        """The derivative of the output by every variable."""
        return {name: value.grad for name, value in self.inputs.items()}

    def node(self, index: int) -> Value:
        """Return the Value of a node, the output included where it is a constant."""
        value = self.values[index]
        return self.output if value is None else value


def evaluate(program: Program, point: Mapping[str, float], conventions: Conventions | None = None) -> Evaluation:
    """Run a program forward and backward at a point.

    Args:
        program: from ``parse``.
        point: the variables' numbers. A variable with a default may be left out.
        conventions: None for ``Conventions()``.

    Returns:
        The evaluation; the gradients in it are those of the output by every Value.

    Raises:
        PointError: if a variable has no number, or a name is not a variable of the program.
        TypeError: if ``program`` is no Program, or a value no real number.
        MathError: for a fault in the forward pass, an infinite local derivative, or a gradient that overflows,
            unless the conventions let it through; with the span of the operation.
    """
    evaluation = lower(program, point, conventions)
    _backward(evaluation)
    return evaluation


def lower(program: Program, point: Mapping[str, float], conventions: Conventions | None = None) -> Evaluation:
    """Run a program forward: make its Values, with the local derivatives, and leave every gradient at 0.

    Arguments and errors as for ``evaluate``.
    """
    if not isinstance(program, Program):
        raise TypeError(f"a program comes from parse, and is no {type(program).__name__}")
    conventions = conventions or Conventions()
    program = spelled(program, conventions.tanh)
    numbers = _numbers_of_inputs(program, point, conventions)
    data: list[float] = []
    values: list[Value | None] = []
    with _collection_paused():
        try:
            _forward(program, numbers, [_compiled(step, kind, conventions) for kind in program.kinds], data, values)
            sound = _all_finite(data, values)
        except ARITHMETIC_FAULTS:
            sound = False
        if not sound:
            data, values = [], []
            careful = [_compiled(careful_step, kind, conventions) for kind in program.kinds]
            try:
                _forward(program, numbers, careful, data, values)
            except MathError as fault:
                raise _located(fault, program, len(data)) from None
    output = values[program.output]
    if output is None:
        output = new_node(data[program.output], [], [])
    return Evaluation(program, conventions, data, values, output, sound)


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Pause the collection of garbage: a graph is many objects at once, and all of them are alive."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _compiled(
    compile_step: Callable[..., Step], kind: Kind, conventions: Conventions
) -> tuple[Step | None, tuple[int, ...]]:
    """Return the step of a kind of instruction, None for leaves, and the places of its differentiable operands."""
    leaf = kind.rule in (INPUT, CONSTANT)
    return None if leaf else compile_step(kind.rule, kind.wanted, conventions), kind.wanted


def _numbers_of_inputs(program: Program, point: Mapping[str, float], conventions: Conventions) -> dict[int, float]:
    """Return the numbers of the variables that the point gives, by instruction; the rest have defaults."""
    numbers: dict[str, float] = {}
    for given, number in point.items():
        if not isinstance(number, Real):
            raise TypeError(f"the value of {given} is a real number, not {type(number).__name__}")
        name = canonical(given)
        if name in numbers:
            raise PointError(f"{name} is given twice", "repeated", (name,))
        numbers[name] = float(number)
    check_names(program, numbers)
    for name, number in numbers.items():
        if not math.isfinite(number) and not conventions.ieee:
            raise PointError(f"{name} is {number}, and not finite", "infinite", (name,))
    return {program.inputs[name]: number for name, number in numbers.items()}


def check_names(program: Program, given: Collection[str]) -> None:
    """Check that names are just those that need a number.

    Args:
        program: the program.
        given: the names that get a number, in canonical form.

    Raises:
        PointError: for a name that is not a variable, or for all variables that are left without a number.
    """
    check_known(program, given)
    missing = tuple(name for name in program.inputs if name not in given and name not in program.defaults)
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        raise PointError(f"{', '.join(missing)} {verb} no value", "missing", missing)


def check_known(program: Program, given: Collection[str]) -> None:
    """Check that names, in canonical form, are variables of a program.

    Raises:
        PointError: for one that is not.
    """
    for name in given:
        if name not in program.inputs:
            raise _not_a_variable(program, name)


def _not_a_variable(program: Program, name: str) -> PointError:
    if name in program.labels.values() or name in program.aliases:
        return PointError(
            f"{name} is computed by the program, and takes no value",
            "computed",
            (name,),
            hint=f"to make {name} a variable, take the statement that binds it out",
        )
    meant = closest(name, program.inputs)
    variables = ", ".join(program.inputs)
    hint = f"did you mean {meant}?" if meant else f"its variables are {variables}" if variables else "it has none"
    return PointError(f"the program has no variable {name}", "unknown", (name,), hint=hint)


def _forward(
    program: Program,
    numbers: dict[int, float],
    steps: list[tuple[Step | None, tuple[int, ...]]],
    data: list[float],
    values: list[Value | None],
) -> None:
    """Append the number and the Value of every instruction. On a fault, ``len(data)`` is the instruction at fault."""
    make: Callable[[type[Value]], Value] = Value.__new__
    defaults = program.default_of
    unasked = _below(program, [index for variable, index in defaults.items() if variable in numbers])
    for kind, operands in zip(program.kind_of, program.operands, strict=True):
        compute, wanted = steps[kind]
        if unasked and len(data) in unasked:
            data.append(0.0)
            values.append(None)
            continue
        if compute is None:
            _leaf(program, len(data), numbers, defaults, data, values)
            continue
        count = len(operands)
        if count == 2:
            left, right = operands
            c, local = compute(data[left], data[right])
        elif count == 1:
            (left,) = operands
            c, local = compute(data[left])
        else:
            c, local = compute(*[data[index] for index in operands])
        data.append(c)
        if not wanted:
            values.append(None)
            continue
        # minigrad.value.new_node, without the call.
        node = make(Value)
        node.data = c
        node.grad = 0.0
        if len(wanted) == 1:
            node._children = [values[operands[wanted[0]]]]  # type: ignore[list-item]  # what is wanted has a Value
        elif count == 2:
            node._children = [values[left], values[right]]  # type: ignore[list-item]
        else:
            node._children = [values[operands[place]] for place in wanted]  # type: ignore[misc]
        node._local_grads = local
        values.append(node)


def _below(program: Program, tops: list[int]) -> set[int]:
    """Return some instructions and all that they are computed from: what overridden defaults need not compute."""
    below: set[int] = set()
    rest = list(tops)
    while rest:
        index = rest.pop()
        below.add(index)
        rest.extend(program.operands[index])
    return below


def _leaf(
    program: Program,
    index: int,
    numbers: dict[int, float],
    defaults: dict[int, int],
    data: list[float],
    values: list[Value | None],
) -> None:
    """Append a constant's number, or a variable's number and Value."""
    literal = program.literals.get(index)
    if literal is not None:
        data.append(literal)
        values.append(None)
        return
    number = numbers[index] if index in numbers else data[defaults[index]]
    data.append(number)
    values.append(new_node(number, [], []))


def _all_finite(data: list[float], values: list[Value | None]) -> bool:
    """Whether every number and local derivative is finite. May say no where a sum of finite ones overflows."""
    local = [value._local_grads for value in values if value is not None]
    return math.isfinite(sum(data)) and math.isfinite(sum(map(sum, local)))


def _backward(evaluation: Evaluation) -> None:
    """Run the reverse sweep from the output, in the order of the program."""
    program = evaluation.program
    values = _in_use(evaluation)
    sweep(values)
    if evaluation.conventions.ieee or gradients_finite(values):
        return
    node = first_overflow(values)
    if node is not None:
        index = evaluation.values.index(node)
        raise MathError(
            f"the gradient of {program.labels[index]} overflows, at {program.labels[index]} = {node.data:.6g}",
            kind="gradient",
            span=(program.starts[index], program.ends[index]),
        )


def _in_use(evaluation: Evaluation) -> list[Value]:
    """Return the Values to sweep, in topological order, the output last.

    Where all is finite, what the output does not use may be among them: it gets and gives 0. Where a number is
    infinite it may not, since 0 * inf is nan.
    """
    program, values = evaluation.program, evaluation.values
    if not evaluation.finite:
        used = reached(program, program.output)
        values = [value if used[index] else None for index, value in enumerate(values)]
    in_use = [value for value in values[: program.output] if value is not None]
    return [*in_use, evaluation.output]


def reached(program: Program, top: int) -> bytearray:
    """Return for each instruction whether ``top`` depends on it. What it does not reach has the gradient 0."""
    used = bytearray(len(program))
    used[top] = 1
    for index in range(top, -1, -1):
        if used[index]:
            for operand in program.operands[index]:
                used[operand] = 1
    return used


def _located(fault: MathError, program: Program, index: int) -> MathError:
    """Return a fault told of the instruction it happened at: the operands as the user wrote them, and the span."""
    texts = []
    for operand in program.operands[index]:
        text = program.operand_text(operand) if operand in program.spelled else program.source(operand)
        short = text if len(text) <= _LONGEST_OPERAND else program.labels.get(operand, f"{text[:_LONGEST_OPERAND]} ...")
        texts.append(short)
    name = program.names.get(index, [""])[0]
    return fault.located(texts, name, (program.starts[index], program.ends[index]))
