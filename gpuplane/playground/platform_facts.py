"""The facts of a cluster that answers about manifests need, as they follow from its file."""

from charts_py.platform.gpu_shares import device_class_shares, gpu_shares
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.pool_price import NoPrice, Price
from gpuplane.playground.cluster_facts import PlaygroundFacts, PoolCost
from gpus.pool_facts import gpus_per_allocation


def platform_facts(platform: Platform) -> PlaygroundFacts:
    return PlaygroundFacts(
        settings=policy_settings(platform),
        costs={pool.name: _cost(platform, pool) for pool in platform.pools},
        quotas={
            each.name: {**gpu_shares(platform, each), **device_class_shares(platform, each)}
            for each in platform.namespaces
        },
        taken=platform.taken_for_workers,
        workers=tuple(map(platform_facts, platform.workers)),
    )


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
