"""What a namespace and a team have of each resource, for queues that know of no pools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from charts_py.cluster_file.queues import Borrowing
from charts_py.platform.queue_quota import borrowable, pool_quotas, queue_pools
from gpus.platform_names import LABEL_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace


@dataclass(frozen=True, slots=True)
class Amount:
    """What a queue has of one resource, whichever pool offers it."""

    own: int = 0
    lent: int = 0
    """The most of it that others can have."""
    borrowed: int = 0
    """The most that it can have of others."""

    @property
    def most(self) -> int:
        """The most that it can have."""
        return self.own + self.borrowed

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.own + other.own, self.lent + other.lent, self.borrowed + other.borrowed)


Amounts: TypeAlias = Mapping[str, Amount]
"""By resource."""


def team_queue(team: str) -> str:
    """Return the name of a team's queue; that of a namespace has no dot."""
    return f"{team}.{LABEL_PREFIX}"


def namespace_amounts(platform: Platform, namespace: TeamNamespace) -> Amounts:
    """Return what the queue of a namespace has."""
    lends = platform.cluster.borrowing is not Borrowing.NONE
    return _sum(
        _of_pool(platform, namespace, pool, lends=lends)
        for pool in queue_pools(platform, namespace)
    )


def _of_pool(
    platform: Platform, namespace: TeamNamespace, pool: PlatformPool, *, lends: bool
) -> Amounts:
    quotas = pool_quotas(platform, pool)
    borrowed = borrowable(platform, namespace, pool, quotas)
    return {
        resource: Amount(quota.nominal, quota.lent if lends else 0, borrowed[resource])
        for resource, quota in quotas[namespace.name].items()
    }


def team_amounts(platform: Platform) -> Mapping[str, Amounts]:
    """Return what the queue of each team has: that of its namespaces, and what other teams lend."""
    own = {name: _of_namespaces(platform, name) for name in sorted(platform.cluster.teams)}
    is_shared = platform.cluster.borrowing is Borrowing.CLUSTER
    return {
        name: _among(
            team, [other for key, other in own.items() if key != name] if is_shared else ()
        )
        for name, team in own.items()
    }


def _of_namespaces(platform: Platform, team: str) -> Amounts:
    return _sum(
        namespace_amounts(platform, each) for each in platform.namespaces if each.team_name == team
    )


def _sum(parts: Iterable[Amounts]) -> Amounts:
    total: dict[str, Amount] = {}
    for part in parts:
        for resource, amount in part.items():
            total[resource] = total.get(resource, Amount()) + amount
    return total


def _among(team: Amounts, others: Iterable[Amounts]) -> Amounts:
    """Return the amounts of a team that borrows what these others lend, and no more."""
    lent = _sum(others)
    return {
        resource: replace(amount, borrowed=lent.get(resource, Amount()).lent)
        for resource, amount in team.items()
    }
