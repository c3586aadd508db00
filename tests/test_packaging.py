"""The wheel: what is in it, and that it runs on its own."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_installs_the_three_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    info = {top for top in tops if top.endswith(".dist-info")}
    assert tops - info == {"minigrad", "minigrad_grammar", "minigrad_cli"}
    for needed in (
        "minigrad/py.typed",
        "minigrad_grammar/py.typed",
        "minigrad_cli/py.typed",
        "minigrad_grammar/expression.lark",
        "minigrad_grammar/_standalone.py",
    ):
        assert needed in names
    (licence,) = [name for name in names if name.endswith("LICENSE")]
    assert b"MIT License" in zipfile.ZipFile(wheel).read(licence)


def test_the_wheel_runs_from_a_bare_folder_without_loading_lark(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import sys; from minigrad_cli.app import run; code = run(sys.argv[1:]);"
        "print('lark' in sys.modules, sys.modules['minigrad_cli'].__file__, file=sys.stderr); sys.exit(code)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, "eval", "x**2", "--x", "3", "--only", "x.grad"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "6\n"
    assert ran.stderr.split() == ["False", str(tmp_path / "minigrad_cli" / "__init__.py")]


def test_a_checkout_that_is_not_installed_says_so(tmp_path: Path) -> None:
    (tmp_path / "minigrad").symlink_to(ROOT / "minigrad")
    ran = subprocess.run(
        [sys.executable, "-S", "-m", "minigrad", "eval", "1"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode != 0
    assert ran.stderr == ("minigrad: error: minigrad_cli is not installed\n  hint: in the checkout, pip install .\n")
