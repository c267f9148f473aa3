"""A team as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.team.definition import TEAM
from charts_py.components.team.objects import team_objects

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def test_a_team_has_the_objects_of_its_namespaces_and_no_others(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    platform = example("training")
    (component,) = (c for c in TEAM.plan(platform) if c.name == "team-research")
    namespaces = [each for each in platform.namespaces if each.team_name == "research"]
    objects = (document for each in namespaces for document in team_objects(platform, each))
    assert [each.name for each in namespaces] == ["research-notebooks", "research-training"]
    assert documents_of_component(component) == tuple(objects)
