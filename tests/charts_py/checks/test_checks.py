from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import charts_py.checks
from charts_py.checks import CHECKS, CHECKS_OF_PROVIDER, find_problems
from charts_py.components.registry import component_checks
from charts_py.platform.draft import Draft
from charts_py.providers.registry import PROVIDERS

SAMPLES = sorted(file.stem for file in (Path(__file__).parents[1] / "samples").glob("*.yaml"))
FAULTS = Path(__file__).parents[1] / "faults" / "checks"
MODULES = sorted(module.name for module in iter_modules(charts_py.checks.__path__))


def test_every_check_is_listed_once() -> None:
    modules = [import_module(f"charts_py.checks.{name}") for name in MODULES]
    checks = {
        found
        for module in modules
        for name, found in vars(module).items()
        if name.startswith("check_") and found.__module__ == module.__name__
    }
    listed = (*CHECKS, *CHECKS_OF_PROVIDER)
    assert (set(listed), len(listed)) == (checks, len(checks))


@pytest.mark.parametrize("name", MODULES)
def test_every_check_has_its_tests(name: str) -> None:
    tests = Path(__file__).with_name(f"test_{name}.py")
    assert tests.is_file() or (FAULTS / f"{name}.yaml").is_file()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_has_no_problem(drafted: Callable[[str], Draft], name: str) -> None:
    draft = drafted(name)
    others = (PROVIDERS[draft.provider.name].problems, *component_checks())
    assert list(find_problems(draft, others)) == []
