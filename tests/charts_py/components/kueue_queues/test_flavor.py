"""Which nodes are of a flavor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.kueue_queues.flavor import resource_flavor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from charts_py.platform.platform import Platform, PlatformPool


def _nodes_of(pool: PlatformPool, platform: Platform) -> list[str]:
    """Return the pools whose nodes have all labels of the flavor of a pool."""
    wanted = resource_flavor(pool)["spec"]["nodeLabels"].items()
    return [each.name for each in platform.pools if wanted <= each.facts.labels.items()]


def test_a_node_is_of_the_flavor_of_its_pool_and_of_no_other(
    platforms: Mapping[str, Platform],
) -> None:
    found = {
        (name, pool.name): _nodes_of(pool, platform)
        for name, platform in platforms.items()
        for pool in platform.pools
    }
    assert found == {(name, pool): [pool] for name, pool in found}
