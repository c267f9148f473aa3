"""Platforms from text, and documents from constructs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from charts_py.bundled_node import use_bundled_node
from charts_py.load import load_platform

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.component import Component
    from charts_py.document import Document
    from charts_py.platform.platform import Platform

CLUSTERS = Path(__file__).parents[2] / "clusters"
"""The example clusters."""


def pytest_configure() -> None:
    use_bundled_node()


@pytest.fixture(scope="session")
def example() -> Callable[[str], Platform]:
    """Return the function that loads one of the example clusters by its name."""

    def load(name: str) -> Platform:
        return load_platform(CLUSTERS / f"{name}.yaml", CLUSTERS / "fleet.yaml")

    return load


@pytest.fixture
def platform_of(tmp_path: Path) -> Callable[[str], Platform]:
    """Return the function that loads a Platform from the text of a cluster file named `sample`."""

    def load(text: str) -> Platform:
        file = tmp_path / "sample.yaml"
        file.write_text(text, encoding="utf-8")
        return load_platform(file, None)

    return load


@pytest.fixture
def documents_of() -> Callable[[Callable[[Construct], object]], tuple[Document, ...]]:
    """Return the function that runs a construct in a chart and returns what it emits."""
    from charts_py.synthesis import Synthesis  # noqa: PLC0415 # starts Node

    def synthesize(construct: Callable[[Construct], object]) -> tuple[Document, ...]:
        return Synthesis().documents("test", construct)

    return synthesize


@pytest.fixture
def documents_of_component(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> Callable[[Component], tuple[Document, ...]]:
    """Return the function that synthesizes one component."""

    def synthesize(component: Component) -> tuple[Document, ...]:
        assert component.construct is not None
        return documents_of(component.construct)

    return synthesize
