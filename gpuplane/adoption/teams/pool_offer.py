"""What a pool offers today, by which quotas of today are understood."""

from dataclasses import dataclass

from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.pools.found_pool import FoundPool
from gpus.mig import format_profile
from gpus.pool_facts import ResourceNaming
from gpus.provider import Provider


@dataclass(frozen=True, slots=True)
class PoolOffer:
    """The GPU resources of a pool."""

    pool: str
    resources: frozenset[str]
    allocations: int
    """How many there are on all its nodes together, at most; 0 where that is not known."""


def pool_offer(pool: FoundPool, provider: Provider) -> PoolOffer:
    """Return what nodes offer; where there are none, what the pool will offer."""
    limited = pool.limited[1] if pool.limited else len(pool.group.nodes)
    nodes = limited if pool.group.max is None else pool.group.max
    parts = (sum(pool.sharing.mig.values()) or 1) * pool.sharing.replicas
    return PoolOffer(
        pool=pool.group.name,
        resources=_offered_now(pool) or _offered_by_sharing(pool, provider),
        allocations=nodes * (pool.gpus or 0) * parts,
    )


def _offered_now(pool: FoundPool) -> frozenset[str]:
    whole = pool.resource
    domain = whole.partition("/")[0]
    return frozenset(
        name
        for node in pool.group.nodes
        for name, count in node.capacity.items()
        if count != "0" and name.startswith((whole, f"{domain}/mig-"))
    )


def _offered_by_sharing(pool: FoundPool, provider: Provider) -> frozenset[str]:
    whole = pool.resource
    if PROVIDERS[provider].naming is ResourceNaming.WHOLE:
        return frozenset({whole})
    shared = ".shared" if pool.sharing.replicas > 1 else ""
    domain = whole.partition("/")[0]
    profiles = [f"{domain}/mig-{format_profile(name)}" for name in pool.sharing.mig]
    return frozenset(f"{name}{shared}" for name in profiles or [whole])
