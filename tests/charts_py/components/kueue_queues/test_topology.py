"""Where nodes stand, as Kueue knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.kueue_queues.flavor import resource_flavor
from charts_py.components.kueue_queues.topology import topology

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

HOSTNAME = "kubernetes.io/hostname"


def layers(*numbers: int) -> list[str]:
    return [f"topology.k8s.aws/network-node-layer-{number}" for number in numbers]


@pytest.mark.parametrize(
    ("pool", "levels"),
    [
        ("b200", [*layers(1, 2, 3, 4), HOSTNAME]),
        ("h100", [*layers(2, 3), HOSTNAME]),
        ("l4", [HOSTNAME]),
    ],
)
def test_a_topology_goes_from_what_the_file_or_the_provider_says_down_to_the_node(
    platform_of: Callable[[str], Platform], sample: Callable[..., str], pool: str, levels: list[str]
) -> None:
    platform = platform_of(sample("topology"))
    assert topology(platform, platform.pool(pool)) == {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Topology",
        "metadata": {"name": pool, "labels": {"app.kubernetes.io/managed-by": "gpuplane"}},
        "spec": {"levels": [{"nodeLabel": level} for level in levels]},
    }
    assert resource_flavor(platform.pool(pool))["spec"]["topologyName"] == pool


def test_a_pool_without_topology_is_placed_anywhere(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    platform = platform_of(sample("queues"))
    assert ["topologyName" in resource_flavor(pool)["spec"] for pool in platform.pools] == [
        False
    ] * len(platform.pools)


def test_racks_that_nvlink_joins_are_a_level_where_their_machines_say_so(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    platform = platform_of(
        sample(
            "nvl72",
            ("pools:\n", "queues: {}\npools:\n"),
            ("    interconnect: infiniband\n", "    interconnect: infiniband\n    topology: {}\n"),
        )
    )
    levels = topology(platform, platform.pool("gb200"))["spec"]["levels"]
    assert [level["nodeLabel"] for level in levels] == ["nvidia.com/gpu.clique", HOSTNAME]
