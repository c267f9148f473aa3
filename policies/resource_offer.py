"""How pools offer a resource."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpus.sharing import SharingKind
from policies.settings import PoolSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from policies.settings import OfferedResource


@dataclass(frozen=True, slots=True)
class ResourceOffer:
    """How a resource is offered."""

    pools: tuple[PoolSettings, ...]
    """The pools that offer it."""
    max_per_node: int
    """Allocations of it on the node that has most of it."""
    sharing: frozenset[SharingKind]
    """The ways in which it is shared."""


def offers_by_resource(pools: Iterable[PoolSettings]) -> Mapping[str, ResourceOffer]:
    """Return how the pools offer each of their resources, by its name."""
    offered: dict[str, list[tuple[PoolSettings, OfferedResource]]] = {}
    for pool in pools:
        for resource in pool.resources:
            offered.setdefault(resource.name, []).append((pool, resource))
    return {
        name: ResourceOffer(
            pools=tuple(pool for pool, _ in offers),
            max_per_node=max(resource.per_node for _, resource in offers),
            sharing=frozenset(resource.sharing for _, resource in offers),
        )
        for name, offers in offered.items()
    }
