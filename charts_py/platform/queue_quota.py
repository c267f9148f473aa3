"""What a namespace's quota on its pools means to a queue: what is its own, borrowed and lent."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from charts_py.cluster_file.queues import Borrowing
from charts_py.platform.gpu_shares import promised_before, shares_after, split
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace

ANY_NUMBER = 1_000_000_000
"""A quota on what is not scarce: more than all clusters hold."""


@dataclass(frozen=True, slots=True)
class QueueQuota:
    """The quota on one resource of a pool, in allocations."""

    nominal: int
    """What is its own."""
    borrowing_limit: int | None = None
    """Most that it borrows of others; None where that is not bounded."""
    lending_limit: int | None = None
    """Most that others borrow of it; None where that is not bounded."""

    @property
    def lent(self) -> int:
        """The most that others can have of it."""
        return self.nominal if self.lending_limit is None else self.lending_limit


def queue_pools(platform: Platform, namespace: TeamNamespace) -> Iterator[PlatformPool]:
    """Yield the pools that a namespace has a quota on, in the order of its quota."""
    for pool, quota in namespace.spec.quota.gpus.items():
        if quota:
            yield platform.pool(pool)


PoolQuotas: TypeAlias = Mapping[str, Mapping[str, QueueQuota]]
"""By namespace and resource."""


def pool_quotas(platform: Platform, pool: PlatformPool) -> PoolQuotas:
    """Return the quota of every namespace on each resource of a pool, 0 where it has none.

    A limit of a pool with several resources is split among them: what is borrowed as its layout
    has them, what is lent as the quota, of which it is a part. Kueue refuses a queue that lends
    more of a resource than it has (`validateLendingLimit` in
    https://github.com/kubernetes-sigs/kueue, pkg/webhooks/clusterqueue_webhook.go at v0.19.2).
    """
    found, before = dict[str, Mapping[str, QueueQuota]](), 0
    for namespace in platform.namespaces:
        count = namespace.spec.quota.gpus.get(pool.name, 0)
        found[namespace.name] = _quotas(namespace, pool, before, count)
        before += count
    return found


def queue_quotas(
    platform: Platform, namespace: TeamNamespace, pool: PlatformPool
) -> Mapping[str, QueueQuota]:
    """Return the quota of a namespace on each resource of a pool."""
    count = namespace.spec.quota.gpus.get(pool.name, 0)
    return _quotas(namespace, pool, promised_before(platform, namespace, pool), count)


def borrowable(
    platform: Platform,
    namespace: TeamNamespace,
    pool: PlatformPool,
    quotas: PoolQuotas | None = None,
) -> dict[str, int]:
    """Return the most that a namespace can borrow of each resource of a pool: what others lend.

    `quotas` are those of the pool, where several namespaces are asked for.
    """
    quotas = pool_quotas(platform, pool) if quotas is None else quotas
    own = quotas[namespace.name]
    lent = dict.fromkeys(own, 0)
    for lender in _partners(platform, namespace, pool):
        for resource, quota in quotas[lender.name].items():
            lent[resource] += quota.lent
    return {
        resource: lent[resource]
        if quota.borrowing_limit is None
        else min(lent[resource], quota.borrowing_limit)
        for resource, quota in own.items()
    }


def lendable(
    platform: Platform,
    namespace: TeamNamespace,
    pool: PlatformPool,
    quotas: PoolQuotas | None = None,
) -> dict[str, int]:
    """Return the most that others can borrow of each resource that a namespace has of a pool.

    `quotas` are those of the pool, where several namespaces are asked for.
    """
    quotas = pool_quotas(platform, pool) if quotas is None else quotas
    wanted = [quotas[partner.name] for partner in _partners(platform, namespace, pool)]
    return {
        resource: _at_most(quota.lent, [each[resource].borrowing_limit for each in wanted])
        for resource, quota in quotas[namespace.name].items()
    }


def _quotas(
    namespace: TeamNamespace, pool: PlatformPool, before: int, count: int
) -> Mapping[str, QueueQuota]:
    """Return a quota of `count` allocations, after those `before` of other namespaces."""
    borrowed, lent = _borrowed(namespace, pool), _lent(namespace, pool, before)
    return {
        resource: QueueQuota(nominal, borrowed.get(resource), lent.get(resource))
        for resource, nominal in shares_after(pool, before, count).items()
    }


def _at_most(count: int, limits: Collection[int | None]) -> int:
    """Return how much of a count there is within limits together; None bounds nothing."""
    bounds = [limit for limit in limits if limit is not None]
    return count if len(bounds) < len(limits) else min(count, sum(bounds))


def _borrowed(namespace: TeamNamespace, pool: PlatformPool) -> dict[str, int]:
    """Return the limits on what is borrowed; none where all of it may be."""
    count = namespace.spec.quota.borrow.get(pool.name)
    layout = {resource.name: resource.per_node for resource in pool.facts.resources}
    return {} if count is None else dict(split(count, layout))


def _lent(namespace: TeamNamespace, pool: PlatformPool, before: int) -> dict[str, int]:
    """Return the limits on what is lent; none where all of it is."""
    count = namespace.spec.quota.lend.get(pool.name)
    return {} if count is None else shares_after(pool, before, count)


def _partners(
    platform: Platform, namespace: TeamNamespace, pool: PlatformPool
) -> Iterator[TeamNamespace]:
    """Yield the other namespaces that it lends to, and borrows from, what they have of a pool."""
    borrowing = platform.cluster.borrowing
    if borrowing is Borrowing.NONE:
        return
    for other in platform.namespaces:
        is_near = borrowing is Borrowing.CLUSTER or other.team_name == namespace.team_name
        if is_near and other.name != namespace.name and other.spec.quota.gpus.get(pool.name):
            yield other
