"""What the example clusters show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.source import read_source
from charts_py.load import load_platforms

if TYPE_CHECKING:
    from collections.abc import Iterator

CLUSTERS = Path(__file__).parents[1] / "clusters"
SAMPLES = Path(__file__).parent / "charts_py" / "samples"

ANY = "*"
"""Matches every name and index."""


def _fields(model: type[BaseModel], path: str = "") -> Iterator[str]:
    """Yield the path of every field, as cluster files write it."""
    for field in model.model_fields.values():
        inner = f"{path}.{field.alias}".removeprefix(".")
        yield inner
        for nested, place in _models(field.annotation, inner):
            yield from _fields(nested, place)


def _models(annotation: Any, path: str) -> Iterator[tuple[type[BaseModel], str]]:
    """Yield the models within a type, with their paths."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation, path
    origin = getattr(annotation, "__origin__", None)
    inside = f"{path}.{ANY}" if origin in (dict, tuple) else path
    for argument in get_args(annotation):
        yield from _models(argument, inside)


def _used(content: Any, path: str = "") -> Iterator[str]:
    """Yield the path of every value, with each name and index also as `*`."""
    items = content.items() if isinstance(content, dict) else ()
    entries = content if isinstance(content, list) else ()
    for name, value in (*items, *((ANY, entry) for entry in entries)):
        for step in {str(name), ANY}:
            inner = f"{path}.{step}".removeprefix(".")
            yield inner
            yield from _used(value, inner)


def test_every_field_is_used_by_an_example_or_a_sample_of_the_tests() -> None:
    used = {
        path
        for file in (*CLUSTERS.glob("*.yaml"), *SAMPLES.glob("*.yaml"))
        for path in _used(read_source(file, file.name).content)
    }
    assert [field for field in _fields(Cluster) if field not in used] == []


def test_no_group_of_an_example_is_in_two_teams() -> None:
    for platform in load_platforms(find_cluster_files(CLUSTERS)):
        members = [team.members for team in platform.cluster.teams.values()]
        groups = [group for each in members for group in each.users + each.viewers + each.admins]
        assert len(groups) == len(set(groups)), platform.name
