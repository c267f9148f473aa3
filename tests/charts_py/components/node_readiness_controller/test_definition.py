"""The readiness controller, as an Application."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.node_readiness_controller.definition import NODE_READINESS_CONTROLLER

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_it_has_the_image_of_its_release_and_stays_off_gpu_nodes(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    (component,) = NODE_READINESS_CONTROLLER.plan(platform_of(sample("karpenter")))
    assert component.helm is not None
    assert component.helm.values == {"image": {"tag": "v0.5.0"}, "tolerations": []}


@pytest.mark.parametrize(
    ("addons", "is_wanted"),
    [
        ("nodeReadiness: false", False),
        ("gpuHealth: {}", False),
        ("gpuHealth: {action: observe}", False),
        ("gpuHealth: {action: quarantine}", True),
        ("gpuHealth: {action: evict}", True),
        ("nodeReadiness: true", True),
        ("nodeReadiness: true\n  gpuHealth: {}", True),
    ],
)
def test_it_is_there_where_nodes_are_tainted(
    addons: str,
    is_wanted: bool,
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
) -> None:
    text = sample("karpenter", ("nodeReadiness: true", addons))
    assert bool(list(NODE_READINESS_CONTROLLER.plan(platform_of(text)))) is is_wanted
