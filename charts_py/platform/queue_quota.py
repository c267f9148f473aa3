"""A namespace's quota on its pools, as its queue has it: nominal, borrowed and lent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from charts_py.cluster_file.queues import Borrowing
from charts_py.platform.gpu_shares import promised_before, shares_after, split
from gpus.allocator import device_class_resource
from gpus.platform_names import LABEL_PREFIX
from gpus.pool_facts import node_part

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace


@dataclass(frozen=True, slots=True)
class Amount:
    """The amount of one resource in a queue, whichever pool offers it."""

    own: int = 0
    lent: int = 0
    """The most of it that others can have."""
    borrowed: int = 0
    """The most that it can have of others."""

    @property
    def most(self) -> int:
        return self.own + self.borrowed

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.own + other.own, self.lent + other.lent, self.borrowed + other.borrowed)


Amounts: TypeAlias = Mapping[str, Amount]
"""Amounts by resource."""


@dataclass(frozen=True, slots=True)
class Borrowed:
    """The GPUs, CPUs and memory on top of a quota."""

    gpus: Mapping[str, int]
    """Allocations by resource, and by that of the DeviceClass where DRA gives them out."""
    millicpu: int = 0
    memory: int = 0
    """Bytes."""


ANY_NUMBER = 1_000_000_000
"""A quota on what is not scarce: more than all clusters hold."""


@dataclass(frozen=True, slots=True)
class QueueQuota:
    """The quota on one resource of a pool, in allocations."""

    nominal: int
    """The part that no other queue can take from it."""
    borrowing_limit: int | None = None
    """Most that it borrows of others; None where that is not bounded."""
    lending_limit: int | None = None
    """Most that others borrow of it; None where that is not bounded."""

    @property
    def lent(self) -> int:
        """The most that others can have of it."""
        return self.nominal if self.lending_limit is None else self.lending_limit


def queue_pools(platform: Platform, namespace: TeamNamespace) -> Iterator[PlatformPool]:
    for pool, quota in namespace.spec.quota.gpus.items():
        if quota:
            yield platform.pool(pool)


PoolQuotas: TypeAlias = Mapping[str, Mapping[str, QueueQuota]]
"""Quotas by namespace, then by resource."""


def pool_quotas(platform: Platform, pool: PlatformPool) -> PoolQuotas:
    """Return the quota of every namespace on each resource of a pool, 0 where it has none.

    A limit of a pool with several resources is split among them: what is borrowed in the
    proportions of its layout, what is lent in those of the quota that it is part of. Kueue refuses
    a queue that lends more of a resource than it has (`validateLendingLimit` in
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
    layout = {resource.name: resource.per_node for resource in pool.facts.resources}
    limits = namespace.spec.quota
    borrow, lend = limits.borrow.get(pool.name), limits.lend.get(pool.name)
    borrowed = {} if borrow is None else split(borrow, layout)
    lent = {} if lend is None else shares_after(pool, before, lend)
    return {
        resource: QueueQuota(nominal, borrowed.get(resource), lent.get(resource))
        for resource, nominal in shares_after(pool, before, count).items()
    }


def _at_most(count: int, limits: Collection[int | None]) -> int:
    """Return how much of a count there is within limits together; None bounds nothing."""
    bounds = [limit for limit in limits if limit is not None]
    return count if len(bounds) < len(limits) else min(count, sum(bounds))


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


def team_queue(team: str) -> str:
    """Return the name of a team's queue; that of a namespace has no dot."""
    return f"{team}.{LABEL_PREFIX}"


def namespace_amounts(platform: Platform, namespace: TeamNamespace) -> Amounts:
    lends, amounts = platform.cluster.borrowing is not Borrowing.NONE, list[Amounts]()
    for pool in queue_pools(platform, namespace):
        quotas = pool_quotas(platform, pool)
        borrowed = borrowable(platform, namespace, pool, quotas)
        of_pool = {
            resource: Amount(quota.nominal, quota.lent if lends else 0, borrowed[resource])
            for resource, quota in quotas[namespace.name].items()
        }
        amounts.append(of_pool)
    return _sum(amounts)


def most_allocations(platform: Platform, namespace: TeamNamespace) -> int:
    """Return the most GPUs, or parts of them, that pods of a namespace can hold at once."""
    quota, most = namespace.spec.quota, 0
    for pool in queue_pools(platform, namespace):
        partners = [each.spec.quota for each in _partners(platform, namespace, pool)]
        lent = sum(each.lend.get(pool.name, each.gpus[pool.name]) for each in partners)
        most += quota.gpus[pool.name] + min(lent, quota.borrow.get(pool.name, lent))
    return most


def team_amounts(platform: Platform) -> Mapping[str, Amounts]:
    """Return what the queue of each team has: that of its namespaces, and what other teams lend."""
    own = {
        team: _sum(
            namespace_amounts(platform, each)
            for each in platform.namespaces
            if each.team_name == team
        )
        for team in sorted(platform.cluster.teams)
    }
    is_shared, found = platform.cluster.borrowing is Borrowing.CLUSTER, dict[str, Amounts]()
    for name, team in own.items():
        lent = _sum(other for key, other in own.items() if is_shared and key != name)
        found[name] = {
            resource: replace(amount, borrowed=lent[resource].lent if resource in lent else 0)
            for resource, amount in team.items()
        }
    return found


def _sum(parts: Iterable[Amounts]) -> Amounts:
    total: dict[str, Amount] = {}
    for part in parts:
        for resource, amount in part.items():
            total[resource] = total.get(resource, Amount()) + amount
    return total


def borrowed_at_most(platform: Platform, namespace: TeamNamespace) -> Borrowed:
    """Return the GPUs that others may lend a namespace, each with its part of its node.

    Kueue counts GPUs alone; a quota on CPUs and memory that knew nothing of borrowing would refuse
    the pods of a job that it has let start.
    """
    gpus: Counter[str] = Counter()
    millicpu = memory = 0
    for pool in queue_pools(platform, namespace):
        lent = borrowable(platform, namespace, pool)
        gpus.update(lent)
        if pool.facts.device_class is not None:
            gpus[device_class_resource(pool.facts.device_class)] += sum(lent.values())
        nodes = sum(lent[each.name] * node_part(pool.facts, each) for each in pool.facts.resources)
        millicpu += int(nodes * 1000 * pool.hardware.cpu)
        memory += int(nodes * pool.hardware.memory)
    return Borrowed(gpus, millicpu, memory)
