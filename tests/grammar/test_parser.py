"""The two ways to a parser: lark's own from the grammar, and the tables prepared when minigrad is built."""

from __future__ import annotations

import importlib.util
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest
from test_messages import MISTAKES

from minigrad_grammar import LanguageError, evaluate, parse, parser

ROOT = Path(__file__).parents[2]
GRAMMAR = parser.GRAMMAR.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def standalone() -> ModuleType:
    """The module that the build hook writes, made afresh from the grammar."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    module = ModuleType("minigrad_grammar._standalone")
    sys.modules["_standalone_under_test"] = module
    module.__dict__["__name__"] = "_standalone_under_test"
    exec(compile(hook.standalone(GRAMMAR), "_standalone.py", "exec"), module.__dict__)
    return module


@pytest.fixture(params=["lark", "tables"])
def either(request: pytest.FixtureRequest, standalone: ModuleType, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make ``parse`` go one of the two ways."""
    monkeypatch.setitem(sys.modules, "minigrad_grammar._standalone", standalone)
    monkeypatch.setattr("minigrad_grammar._standalone", standalone, raising=False)
    made = parser.from_lark(GRAMMAR) if request.param == "lark" else parser.from_tables(GRAMMAR)
    assert made is not None
    monkeypatch.setattr(parser, "backend", lambda: made)
    monkeypatch.setattr(parser, "_idle", [])
    return str(request.param)


def test_both_ways_read_the_same_programs(either: str) -> None:
    text = "c = a*b # product\ny = √(c)²/(a − 1)**-2\n(y +\n relu(-b))"
    result = evaluate(parse(text), {"a": 2, "b": 3})
    assert result.value == pytest.approx(6)
    assert list(result.program.inputs) == ["a", "b"]


@pytest.mark.parametrize(("text", "part", "message", "hint"), MISTAKES, ids=lambda value: repr(value)[:30])
def test_both_ways_find_the_same_mistakes(either: str, text: str, part: str, message: str, hint: str) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text)
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.span is not None
    assert text[slice(*caught.value.span)] == part


def test_tables_of_another_grammar_are_not_used(standalone: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "minigrad_grammar._standalone", standalone)
    monkeypatch.setattr("minigrad_grammar._standalone", standalone, raising=False)
    assert parser.from_tables(GRAMMAR + "\n") is None


def test_a_parser_is_fit_for_use_after_a_mistake() -> None:
    for _ in range(3):
        with pytest.raises(LanguageError):
            parse("(x + ")
        assert evaluate(parse("x + 1"), {"x": 1}).value == 2


def test_threads_do_not_share_a_parser() -> None:
    texts = [f"{'(' * 50}x + {number}{')' * 50}" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        values = list(pool.map(lambda text: evaluate(parse(text), {"x": 0}).value, texts))
    assert values == [float(number) for number in range(200)]
