"""Every component there is."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import pytest

import charts_py.components
import charts_py.extensions
from charts_py.components.registry import PLANS, plan_components

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

MODULES = [
    import_module(f"{package.__name__}.{module.name}")
    for package in (charts_py.components, charts_py.extensions)
    for module in iter_modules(package.__path__)
]


def test_every_module_that_plans_components_is_listed_once() -> None:
    planning = [module.__name__ for module in MODULES if hasattr(module, "plan")]
    assert sorted(plan.__module__ for plan in PLANS) == sorted(planning)


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_components_stand_in_the_order_of_their_waves(
    example: Callable[[str], Platform], cluster: str
) -> None:
    components = plan_components(example(cluster))
    assert list(components) == sorted(components, key=lambda component: component.wave)


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_no_two_components_have_one_name(example: Callable[[str], Platform], cluster: str) -> None:
    names = [component.name for component in plan_components(example(cluster))]
    assert len(names) == len(set(names))
