from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import pytest

import charts_py.checks
from charts_py.checks import CHECKS, CHECKS_OF_PROVIDER, find_problems
from charts_py.checks.draft_cluster import draft_cluster
from charts_py.spec.parse import parse
from charts_py.spec.source import read_source

if TYPE_CHECKING:
    from charts_py.checks.draft import Draft

SAMPLES = sorted((Path(__file__).parents[1] / "samples").glob("*.yaml"))
NO_CHECKS = {"draft", "draft_cluster", "name_rule"}
MODULES = sorted({module.name for module in iter_modules(charts_py.checks.__path__)} - NO_CHECKS)


def drafted(file: Path) -> Draft:
    content = read_source(file, file.name).content
    assert content is not None
    return draft_cluster(file, content, parse(content))


def test_every_check_is_listed_once() -> None:
    checks = {
        getattr(import_module(f"charts_py.checks.{name}"), f"check_{name}") for name in MODULES
    }
    listed = (*CHECKS, *CHECKS_OF_PROVIDER)
    assert (set(listed), len(listed)) == (checks, len(MODULES))


@pytest.mark.parametrize("name", MODULES)
def test_every_check_has_its_tests(name: str) -> None:
    assert Path(__file__).with_name(f"test_{name}.py").is_file()


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_a_sample_has_no_problem(file: Path) -> None:
    assert list(find_problems(drafted(file))) == []
