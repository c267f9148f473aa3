"""What a workload can be on a cluster, and what it is where nothing is said."""

from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.queue_quota import borrowable
from gpuplane.workloads.kind import Kind
from gpus.pool_facts import AdvertisedResource


def teams(platform: Platform) -> tuple[str, ...]:
    """Return the teams of a cluster."""
    return tuple(sorted(platform.cluster.teams))


def namespaces(platform: Platform, team: str, kind: Kind) -> tuple[TeamNamespace, ...]:
    """Return the namespaces of a team, those first that suit the kind best."""
    order = {purpose: place for place, purpose in enumerate(kind.purposes)}
    own = (each for each in platform.namespaces if each.team_name == team)
    return tuple(sorted(own, key=lambda each: order.get(each.spec.purpose, len(order))))


def pools(platform: Platform, namespace: TeamNamespace) -> tuple[PlatformPool, ...]:
    """Return the pools that a namespace may use, spot pools last, else in the order of its quota.

    Spot nodes can be taken away, which is to be asked for.
    """
    granted = [platform.pool(name) for name, quota in namespace.spec.quota.gpus.items() if quota]
    return tuple(sorted(granted, key=lambda pool: pool.facts.spot_taint is not None))


def resources(pool: PlatformPool) -> tuple[AdvertisedResource, ...]:
    """Return what a pool offers."""
    return pool.facts.resources


def usual_resource(
    platform: Platform, namespace: TeamNamespace, pool: PlatformPool
) -> AdvertisedResource:
    """Return the first that a pool offers and the namespace may use."""
    offered = resources(pool)
    usable = (each for each in offered if quota_of(platform, namespace, pool, each))
    return next(usable, offered[0])


def most_gpus(resource: AdvertisedResource) -> int:
    """Return how many a pod can use: a node's whole GPUs, or one part of a GPU."""
    is_part = resource.shared or resource.mig_profile is not None
    return 1 if is_part else resource.per_node


def usual_gpus(kind: Kind, most: int, quota: int) -> int:
    """Return how many a pod gets where nothing is said: of a quota, as many as it has at most."""
    if kind.only_whole_nodes:
        return most
    return min(most, quota) if kind.whole_nodes else 1


def most_nodes(
    platform: Platform,
    namespace: TeamNamespace,
    pool: PlatformPool,
    resource: AdvertisedResource,
    gpus: int,
) -> int:
    """Return how many pods with so many of a resource the pool and the namespace's quota hold."""
    in_pool = platform.team_nodes(pool) * max(resource.per_node // gpus, 1)
    return min(in_pool, quota_of(platform, namespace, pool, resource) // gpus)


def quota_of(
    platform: Platform, namespace: TeamNamespace, pool: PlatformPool, resource: AdvertisedResource
) -> int:
    """Return how much of a resource of a pool a namespace has, and can borrow."""
    own = pool_shares(platform, namespace, pool)[resource.name]
    return own + borrowable(platform, namespace, pool)[resource.name]
