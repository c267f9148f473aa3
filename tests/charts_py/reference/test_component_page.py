"""The reference of the components."""

from pathlib import Path

import pytest

from charts_py.load import load_platforms
from charts_py.reference.component_page import component_reference
from charts_py.rendering.render import render
from charts_py.spec.cluster_files import find_cluster_files

CLUSTERS = Path(__file__).parents[3] / "clusters"


@pytest.fixture(scope="module")
def page() -> str:
    return component_reference(CLUSTERS)


def test_every_component_of_every_example_has_its_row(page: str) -> None:
    rendered = {
        (platform.name, f"`{name}`")
        for platform in load_platforms(find_cluster_files(CLUSTERS))
        for name in render(platform).folders
    }
    rows = {tuple(row.split(" | ")[:2]) for row in page.splitlines() if " | `" in row}
    assert rendered <= {(cluster.removeprefix("| "), name) for cluster, name in rows}


def test_a_row_counts_the_kinds(page: str) -> None:
    assert "| training | `priority-classes` | 1 | 5 PriorityClass |" in page.splitlines()


def test_constructs_are_described_by_their_own_words(page: str) -> None:
    assert "- `PriorityClasses`: One PriorityClass a rung. https://kubernetes.io/" in page
