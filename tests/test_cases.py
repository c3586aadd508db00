"""The reference values of tests/cases, through the library and through the command line."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import process
from ulps import ulps

from minigrad import MathError
from minigrad.choices import Conventions
from minigrad.rules import TABLE
from minigrad_grammar import evaluate, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

CASES = Path(__file__).with_name("cases")


def read(name: str) -> list[Any]:
    cases = [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in cases]


def numbers(case: dict[str, Any], conventions: Any = None) -> list[tuple[float, str, float]]:
    """Return (computed, true, ulps that careful rules reach) of the value and of each derivative."""
    result = evaluate(parse(case["expression"]), case["at"], conventions)
    careful = case.get("careful_ulps", {"value": 0.0, "gradient": dict.fromkeys(case["gradient"], 0.0)})
    assert result.gradient.keys() == case["gradient"].keys()
    return [
        (result.value, case["value"], careful["value"]),
        *((result.gradient[name], true, careful["gradient"][name]) for name, true in case["gradient"].items()),
    ]


def infinite(case: dict[str, Any]) -> bool:
    return any(math.isinf(float(true)) for true in (case["value"], *case["gradient"].values()))


@pytest.mark.parametrize("case", read("rules"))
def test_each_operation_is_right_to_4_ulps(case: dict[str, Any]) -> None:
    if infinite(case):
        with pytest.raises(MathError):
            evaluate(parse(case["expression"]), case["at"])
    for computed, true, _ in numbers(case, Conventions(ieee=True) if infinite(case) else None):
        assert ulps(computed, true) <= 4


@pytest.mark.parametrize("case", [*read("expressions"), *read("repeat")])
def test_expressions_are_as_right_as_careful_rules_make_them(case: dict[str, Any]) -> None:
    for computed, true, careful in numbers(case):
        if case["id"].startswith("illcond-"):
            assert computed == pytest.approx(float(true), rel=1e-6)
        else:
            assert ulps(computed, true) <= 4 * careful + 4


@pytest.mark.parametrize("case", read("reports"))
def test_what_users_reported_of_other_tools_does_not_happen_here(
    case: dict[str, Any], minigrad: Callable[..., Ran]
) -> None:
    ran = process(*case["argv"], env=case["env"]) if "env" in case else minigrad(*case["argv"])
    assert ran.code == case.get("exit", 0)
    for words in case.get("stdout", ()):
        assert words in ran.out
    for words in case.get("stderr", ()):
        assert words in ran.err
    if "value" in case:
        document = json.loads(ran.out)
        assert document["value"] == pytest.approx(float(case["value"]), rel=1e-14, abs=0)
        for name, true in case["gradient"].items():
            assert document["gradient"][name] == pytest.approx(float(true), rel=1e-14, abs=0)


def test_every_operation_has_reference_values() -> None:
    operations = set()
    for param in read("rules"):
        program = parse(param.values[0]["expression"])
        operations |= {program.rule(index) for index in range(len(program))}
    missing = [rule.name for rule in TABLE if rule not in operations]
    assert not missing, f"tests/cases/rules.jsonl has no lines for {', '.join(missing)}"
