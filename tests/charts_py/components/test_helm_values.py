"""Values of every Helm release, key by key against the pinned chart's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.components import amd_gpu_operator, efa_device_plugin, gpu_operator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

    from charts_py.components.component import HelmRelease
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

CLUSTERS = ("training", "inference", "mixed", "onprem")

VALUES_FILES = {"gpu-operator-charts": "amd-gpu-operator"}
"""Names under which charts are mirrored, where these differ."""

DISCOVERY = "node-feature-discovery"
"""A chart within the charts of the operators; its values stand under its name."""


MODULES = (gpu_operator, efa_device_plugin, amd_gpu_operator)
"""The components that are Helm releases."""


def _releases(module: ModuleType, platform: Platform) -> Iterator[HelmRelease]:
    for component in module.plan(platform):
        if component.helm is not None:
            yield component.helm


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("cluster", CLUSTERS)
def test_every_key_that_is_set_exists_in_the_pinned_chart(
    cluster: str,
    module: ModuleType,
    example: Callable[[str], Platform],
    pinned_values: Callable[[str], Document],
) -> None:
    for release in _releases(module, example(cluster)):
        pinned = pinned_values(VALUES_FILES.get(release.chart, release.chart))
        if DISCOVERY in pinned:
            pinned = {**pinned, DISCOVERY: {"enabled": True, **pinned_values(DISCOVERY)}}
        unknown = [path for path in _paths(release.values) if not _exists(pinned, path)]
        assert (release.chart, unknown) == (release.chart, [])


def _paths(values: Mapping[str, Any], parents: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of each value that is no mapping."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _paths(value, (*parents, key))
        else:
            yield (*parents, key)


def _exists(pinned: Any, path: tuple[str, ...]) -> bool:
    """Tell whether the chart has the path, or a mapping on the way that is free to fill."""
    for key in path:
        if pinned == {}:
            return True
        if not isinstance(pinned, dict) or key not in pinned:
            return False
        pinned = pinned[key]
    return True


@pytest.mark.parametrize(
    ("pinned", "path", "exists"),
    [
        ({"driver": {"enabled": True}}, ("driver", "enabled"), True),
        ({"driver": {"enabled": True}}, ("driver", "enable"), False),
        ({"driver": {"enabled": True}}, ("drivers", "enabled"), False),
        ({"driver": {"enabled": True}}, ("driver", "enabled", "always"), False),
        ({"nodeSelector": {}}, ("nodeSelector", "any/label"), True),
    ],
)
def test_a_misspelled_key_does_not_exist(
    pinned: dict[str, Any], path: tuple[str, ...], exists: bool
) -> None:
    assert _exists(pinned, path) is exists
