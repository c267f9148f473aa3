"""A namespace's quota on its pools, as a quota on each GPU resource that the platform offers.

A quota is written in allocations of a pool. A ResourceQuota bounds each resource by itself and
cannot bound the sum of several (https://kubernetes.io/docs/concepts/policy/resource-quotas/), so
where a pool offers several resources, as a mixed MIG layout does, its quota is split among them:

- The allocations of a pool are numbered in an order that mixes its resources as the layout does:
  the next one goes to the resource that is furthest behind its part of the layout (the
  Sainte-Laguë method). With `1g x 2, 2g x 1, 3g x 1` that is 1g, 2g, 3g, 1g, and so on.
- Each namespace, by name, takes as many in a row as its quota states.

So the parts of a namespace add up to its quota, they are proportional to the layout up to a
remainder, and all namespaces together never get more of a resource than the nodes of the pool
offer, as long as their quotas fit into the pool. Splitting each quota by itself and rounding would
break the last of these.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from math import gcd

from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpus.allocator import device_class_resource


def gpu_shares(platform: Platform, namespace: TeamNamespace) -> dict[str, int]:
    """Return how much of every resource that the platform offers the namespace may request."""
    shares = Counter(dict.fromkeys(platform.offered_resources, 0))
    for pool in namespace.spec.quota.gpus:
        shares.update(pool_shares(platform, namespace, platform.pool(pool)))
    return dict(shares)


def pool_shares(platform: Platform, namespace: TeamNamespace, pool: PlatformPool) -> dict[str, int]:
    quota = namespace.spec.quota.gpus.get(pool.name, 0)
    return shares_after(pool, promised_before(platform, namespace, pool), quota)


def shares_after(pool: PlatformPool, before: int, count: int) -> dict[str, int]:
    """Return how much of every resource `count` allocations of a pool are, after those `before`.

    So the first part of a quota is of no resource more than the quota is.
    """
    layout = {resource.name: resource.per_node for resource in pool.facts.resources}
    first, last = split(before, layout), split(before + count, layout)
    return {resource: last[resource] - first[resource] for resource in layout}


def device_class_shares(platform: Platform, namespace: TeamNamespace) -> dict[str, int]:
    """Return how many GPUs that DRA allocates the namespace may have, by the name of their class.

    The API server counts them by this name whatever a pod or a claim calls them, and besides as the
    resource that they are an allocation of. So they also differ from those of device plugins,
    which have that resource, too: `addExtendedResourceQuota` in
    https://github.com/kubernetes/kubernetes (pkg/quota/v1/evaluator/core/resource_claims.go at
    v1.37.1).
    """
    shares: Counter[str] = Counter()
    for pool in platform.pools:
        if pool.facts.device_class is not None:
            resource = device_class_resource(pool.facts.device_class)
            shares[resource] += namespace.spec.quota.gpus.get(pool.name, 0)
    return dict(shares)


def split(count: int, layout: Mapping[str, int]) -> Counter[str]:
    """Return how many of the first `count` allocations go to each resource of a node's layout.

    A layout maps a resource to how many of it a node offers; each is at least 1.
    """
    unit = gcd(*layout.values())
    smallest = {resource: offered // unit for resource, offered in layout.items()}
    rounds, rest = divmod(count, sum(smallest.values()))
    parts = Counter({resource: rounds * offered for resource, offered in smallest.items()})
    parts.update(islice(_order(smallest), rest))
    return parts


def _order(layout: Mapping[str, int]) -> Iterator[str]:
    """Yield the resource of one allocation after the other."""
    given = dict.fromkeys(layout, 0)
    while True:
        furthest_behind = max(layout, key=lambda name: Fraction(layout[name], 2 * given[name] + 1))
        given[furthest_behind] += 1
        yield furthest_behind


def promised_before(platform: Platform, namespace: TeamNamespace, pool: PlatformPool) -> int:
    """Return the quotas on the pool of the namespaces that come before this one by name."""
    return sum(
        other.quota.gpus.get(pool.name, 0)
        for team in platform.cluster.teams.values()
        for name, other in team.namespaces.items()
        if name < namespace.name
    )
