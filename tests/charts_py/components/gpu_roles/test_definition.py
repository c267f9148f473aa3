"""When there are roles, and before what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_roles.definition import GPU_ROLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_the_component_comes_before_the_teams(example: Callable[[str], Platform]) -> None:
    (component,) = GPU_ROLES.plan(example("training"))
    assert (component.name, component.wave.name) == ("gpu-roles", "CLASSES")
