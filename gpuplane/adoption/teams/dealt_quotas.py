"""Quotas of resources, dealt to the pools that offer them.

Kubernetes bounds a resource, a cluster file the allocations of each pool. Where several pools offer
a resource, each gets a part by the room that it has left, so that all parts together fit wherever
they can.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gpuplane.adoption.teams.pool_offer import PoolOffer


@dataclass(frozen=True, slots=True)
class ResourceBound:
    """What a namespace may request of a resource."""

    namespace: str
    resource: str
    count: int
    granted: frozenset[str] | None = None
    """The pools that it may use; None where that is not known."""

    def offering(self, offers: Iterable[PoolOffer]) -> tuple[PoolOffer, ...]:
        """Return the pools that offer the resource to the namespace."""
        found = (one for one in offers if self.resource in one.resources)
        return tuple(one for one in found if self.granted is None or one.pool in self.granted)


@dataclass(slots=True)
class DealtQuota:
    """The quota of a namespace by pool."""

    gpus: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What was decided, and what no pool offers."""


def dealt_quotas(
    bounds: Iterable[ResourceBound], offers: tuple[PoolOffer, ...]
) -> Mapping[str, DealtQuota]:
    """Return the quota of each namespace that has one; those that fit one pool alone come first."""
    dealt: dict[str, DealtQuota] = defaultdict(DealtQuota)
    room = {one.pool: one.allocations for one in offers}
    for bound in sorted(bounds, key=lambda bound: len(bound.offering(offers))):
        quota, pools = dealt[bound.namespace], [one.pool for one in bound.offering(offers)]
        quota.notes += _notes(bound, pools)
        for pool, part in split(bound.count, {pool: room[pool] for pool in pools}).items():
            room[pool] = max(0, room[pool] - part)
            quota.gpus[pool] = quota.gpus.get(pool, 0) + part
    return dealt


def split(count: int, room: Mapping[str, int]) -> dict[str, int]:
    """Return the part of a count for each pool by its room; the first gets what has no room.

    The remainder goes to the smallest parts, so that as many pools as can be have some.
    """
    if not room:
        return {}
    total = sum(room.values())
    fitting = min(count, total)
    parts = {pool: fitting * here // total if total else 0 for pool, here in room.items()}
    for _ in range(fitting - sum(parts.values())):
        roomy = [pool for pool in parts if parts[pool] < room[pool]]
        parts[min(roomy, key=lambda pool: parts[pool])] += 1
    parts[next(iter(room))] += count - fitting
    return {pool: part for pool, part in parts.items() if part}


def _notes(bound: ResourceBound, pools: list[str]) -> Iterator[str]:
    if not pools:
        yield f"not carried over: {bound.count} of {bound.resource}, which no pool offers"
    elif len(pools) > 1:
        yield (
            f"{bound.count} of {bound.resource} hold for {', '.join(pools)} together; "
            "they are dealt by size, and Kubernetes counts the sum"
        )
