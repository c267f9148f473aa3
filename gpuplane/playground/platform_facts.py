"""The facts of a cluster that answers about manifests need, as they follow from its file."""

from charts_py.components.team.quota import quota_bounds
from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.pool_price import NoPrice, Price
from charts_py.platform.queue_quota import queue_pools
from gpuplane.playground.cluster_facts import PlaygroundFacts, PoolCost
from gpus.allocator import device_class_resource
from gpus.pool_facts import gpus_per_allocation


def platform_facts(platform: Platform) -> PlaygroundFacts:
    return PlaygroundFacts(
        settings=policy_settings(platform),
        costs={pool.name: _cost(platform, pool) for pool in platform.pools},
        quotas={
            each.name: {
                pool.name: _quota(platform, each, pool) for pool in queue_pools(platform, each)
            }
            for each in platform.namespaces
        },
        enforced={each.name: _enforced(platform, each) for each in platform.namespaces},
        taken=platform.taken_for_workers,
        workers=tuple(map(platform_facts, platform.workers)),
    )


def _quota(platform: Platform, namespace: TeamNamespace, pool: PlatformPool) -> dict[str, int]:
    """Return it by resource; a DeviceClass is another name of what its pool has."""
    by_class = pool.facts.device_class
    classes = [] if by_class is None else [device_class_resource(by_class)]
    whole = namespace.spec.quota.gpus[pool.name]
    return {**pool_shares(platform, namespace, pool), **dict.fromkeys(classes, whole)}


def _enforced(platform: Platform, namespace: TeamNamespace) -> dict[str, int]:
    bounds = quota_bounds(platform, namespace)
    pools = queue_pools(platform, namespace)
    resources = {name for pool in pools for name in _quota(platform, namespace, pool)}
    return {name: int(bounds[f"requests.{name}"]) for name in sorted(resources)}


def _cost(platform: Platform, pool: PlatformPool) -> PoolCost:
    price = platform.price_or_reason(pool)
    return PoolCost(
        currency=platform.cluster.cost.currency,
        gpu_hour=price.gpu_hour if isinstance(price, Price) else None,
        unpriced=price.reason if isinstance(price, NoPrice) else "",
        gpus={
            resource.name: float(gpus_per_allocation(pool.facts, resource))
            for resource in pool.facts.resources
        },
    )
