"""How many nodes a node pool of GKE starts with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.argocd.applications import application_of
from charts_py.components.node_pools.definition import NODE_POOLS
from charts_py.providers.gke.initial_nodes import initial_nodes_per_zone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]
    ObjectsOf = Callable[[Platform], Mapping[str, Document]]

L4 = "instanceType: g2-standard-4, purpose: inference"


@pytest.mark.parametrize(
    ("fields", "per_zone"),
    [
        ("nodes: {min: 2, max: 9}, zones: [europe-west4-a]", 2),
        ("nodes: {min: 2, max: 9}, zones: [europe-west4-a, europe-west4-b]", 1),
        ("nodes: {min: 3, max: 9}, zones: [europe-west4-a, europe-west4-b]", 2),
        ("nodes: {min: 1, max: 9, warm: 4}", 2),
        ("nodes: {min: 1, max: 9}", 1),
        ("nodes: {max: 9}", 0),
    ],
)
def test_the_kept_nodes_are_spread_over_the_zones(
    platform_with: PlatformWith, fields: str, per_zone: int
) -> None:
    platform = platform_with("gke", f"{{{L4}, {fields}}}")
    (pool,) = platform.pools
    assert initial_nodes_per_zone(pool.spec, platform.cluster) == per_zone


def test_a_cluster_in_one_zone_has_its_nodes_there(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    zonal = ("location: europe-west4", "location: europe-west4-b")
    kept = ("{max: 2}\n    sharing:\n      mig", "{min: 2, max: 2}\n    sharing:\n      mig")
    platform = platform_of(sample("gke", zonal, kept))
    assert initial_nodes_per_zone(platform.pool("a100").spec, platform.cluster) == 2


def test_a_pool_that_keeps_no_node_does_not_say_what_it_starts_with(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    objects = objects_of(platform_with("gke", f"{{{L4}, nodes: {{max: 3}}}}"))
    assert "initialNodeCount" not in objects["ContainerNodePool pool"]["spec"]


def test_what_a_pool_started_with_is_never_changed(example: Callable[[str], Platform]) -> None:
    platform = example("inference")
    (component,) = NODE_POOLS.plan(platform)
    spec = application_of(platform, component).spec
    assert spec["ignoreDifferences"] == [
        {
            "group": "container.cnrm.cloud.google.com",
            "kind": "ContainerNodePool",
            "jsonPointers": ["/spec/initialNodeCount"],
        }
    ]
    assert "RespectIgnoreDifferences=true" in spec["syncPolicy"]["syncOptions"]
