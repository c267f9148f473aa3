"""When there are roles, and before what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_roles.access import team_access
from charts_py.components.gpu_roles.definition import GPU_ROLES
from charts_py.components.gpu_roles.rules import cluster_roles

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def test_the_component_comes_before_the_teams(example: Callable[[str], Platform]) -> None:
    (component,) = GPU_ROLES.plan(example("training"))
    assert (component.name, component.wave.name) == ("gpu-roles", "CLASSES")


def test_the_component_has_the_three_roles_and_nothing_else(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    platform = example("inference")
    (component,) = GPU_ROLES.plan(platform)
    roles = cluster_roles(team_access(platform.cluster.kubernetes))
    assert documents_of_component(component) == tuple(roles)
