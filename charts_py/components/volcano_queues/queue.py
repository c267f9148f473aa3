"""What a namespace and a team may have, of each resource.

Of a queue of Volcano, `guarantee` is what no other may have, `deserved` what it gets back from
others that have more than theirs, and `capability` the most that it may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from charts_py.components.volcano_queues.api import API_VERSION
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.queue_quota import borrowable, queue_pools, queue_quotas
from charts_py.spec.queues import Borrowing
from gpus.platform_names import LABEL_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform, TeamNamespace


@dataclass(frozen=True, slots=True)
class Amount:
    """What a queue has of one resource, whichever pool offers it: Volcano knows of no pools."""

    own: int = 0
    lent: int = 0
    """The most of it that others can have."""
    borrowed: int = 0
    """The most that it can have of others."""

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.own + other.own, self.lent + other.lent, self.borrowed + other.borrowed)


Amounts: TypeAlias = Mapping[str, Amount]
"""By resource."""


def queues(platform: Platform) -> Iterator[Document]:
    """Yield a Queue for each team, and below it one for each of its namespaces."""
    amounts = {each.name: _amounts(platform, each) for each in platform.namespaces}
    teams = {
        name: _sum(amounts[namespace] for namespace in team.namespaces)
        for name, team in sorted(platform.cluster.teams.items())
    }
    for name, team in teams.items():
        others = [other for key, other in teams.items() if key != name]
        is_shared = platform.cluster.borrowing is Borrowing.CLUSTER
        yield _queue(team_queue(name), _among(team, others if is_shared else ()), {})
    for namespace in platform.namespaces:
        parent = {"parent": team_queue(namespace.team_name)}
        yield _queue(namespace.name, amounts[namespace.name], parent)


def team_queue(team: str) -> str:
    """Return the name of a team's queue; that of a namespace has no dot."""
    return f"{team}.{LABEL_PREFIX}"


def _amounts(platform: Platform, namespace: TeamNamespace) -> Amounts:
    lends = platform.cluster.borrowing is not Borrowing.NONE
    return _sum(
        {
            resource: Amount(
                quota.nominal,
                quota.lent if lends else 0,
                borrowable(platform, namespace, pool)[resource],
            )
            for resource, quota in queue_quotas(platform, namespace, pool).items()
        }
        for pool in queue_pools(platform, namespace)
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


def _queue(name: str, amounts: Amounts, placed: Mapping[str, str]) -> Document:
    kept = {name: each.own - each.lent for name, each in amounts.items() if each.own > each.lent}
    guarantee = {"guarantee": {"resource": _quantities(kept)}} if kept else {}
    spec: dict[str, Any] = {
        **placed,
        "reclaimable": True,
        **guarantee,
        "deserved": _quantities({name: each.own for name, each in amounts.items()}),
        # Of what it does not state, a queue could have all.
        "capability": _quantities({name: a.own + a.borrowed for name, a in amounts.items()}),
    }
    return object_of(API_VERSION, "Queue", ObjectMeta(name), {"spec": spec})


def _quantities(amounts: Mapping[str, int]) -> dict[str, str]:
    return {resource: str(amounts[resource]) for resource in sorted(amounts)}
