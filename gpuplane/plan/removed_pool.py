"""Finds the pools that a change removes, who may run there, and what waits for a confirmation."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.plan.effect import Change, PlannedObject, Verdict
from gpuplane.plan.outage import PoolNodes, pool_nodes
from gpuplane.plan.rollout import Mechanism
from gpuplane.plan.running_nodes import RunningNodes
from gpuplane.reports.queues import NamespaceLine, namespace_lines
from gpus.pool_facts import gpus_per_allocation

_REMOVING = (Mechanism.POOL_DELETION, Mechanism.RELABELLING)
"""How nodes are taken from a pool that goes."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A namespace with a quota on a pool, in GPUs."""

    namespace: str
    team: str
    own: Fraction
    borrowed: Fraction
    """The most that it borrows on top, while others leave it unused."""


@dataclass(frozen=True, slots=True)
class RemovedPool:
    """A pool that the new side lacks."""

    nodes: PoolNodes
    verdict: Verdict = Verdict.SAFE
    """The worst verdict on the objects that make its nodes, or label them."""
    is_removed: bool = False
    """Whether Argo CD removes such an object; else a person does, as with eksctl."""
    held_by: tuple[str, ...] = ()
    """The components whose sync waits with the removal until somebody confirms it."""
    successor: str | None = None
    """A new pool of the same machines, as where the pool is renamed."""
    keeps_machines: bool = False
    """Whether the machines stay, and belong to the successor."""
    holders: tuple[Holder, ...] = ()

    @property
    def name(self) -> str:
        return self.nodes.pool


def removed_pools(
    before: Platform | None,
    after: Platform | None,
    objects: Iterable[PlannedObject],
    running: RunningNodes,
) -> Iterator[RemovedPool]:
    """Yield the pools that only the first side has; none where a side is not known."""
    if before is None or after is None:
        return
    removed = tuple(each for each in objects if each.change is Change.REMOVED)
    left = {pool.name for pool in after.pools}
    for pool in before.pools:
        nodes = pool_nodes(before.name, pool.name, running, before)
        if pool.name in left or nodes is None:
            continue
        own = [each for each in removed if _takes_nodes(each, pool.name)]
        yield RemovedPool(
            nodes=nodes,
            verdict=max((each.verdict for each in own), default=Verdict.SAFE),
            is_removed=bool(own),
            held_by=tuple(sorted({each.placed.component for each in own if each.is_held})),
            successor=successor_of(pool.name, before, after),
            keeps_machines=not after.provider.makes_nodes,
            holders=tuple(_holders(before, pool)),
        )


def _takes_nodes(planned: PlannedObject, pool: str) -> bool:
    return any(way.pool == pool and way.mechanism in _REMOVING for way in planned.rollouts)


def successor_of(pool: str, before: Platform, after: Platform) -> str | None:
    """Return the pool that may have as many nodes of the same machines in place of those that go.

    It is the pool itself where only a part of it goes, or a new one, as where a pool is renamed.
    """
    old = {each.name: each for each in before.pools}
    gone = old.pop(pool, None)
    if gone is None:
        return None
    machines = (gone.hardware, gone.spec.purchase)
    for each in after.pools:
        is_alike = (each.hardware, each.spec.purchase) == machines
        if each.name not in old and is_alike and each.spec.nodes.max >= gone.spec.nodes.max:
            return each.name
    return None


def _holders(platform: Platform, pool: PlatformPool) -> Iterator[Holder]:
    found: dict[tuple[str, str], list[NamespaceLine]] = {}
    for line in namespace_lines(platform):
        if line.pool == pool.name:
            found.setdefault((line.namespace, line.team), []).append(line)
    parts = {each.name: gpus_per_allocation(pool.facts, each) for each in pool.facts.resources}
    for (namespace, team), lines in found.items():
        own = sum((line.own * parts[line.resource] for line in lines), Fraction())
        borrowed = sum((line.borrowed * parts[line.resource] for line in lines), Fraction())
        yield Holder(namespace, team, own, borrowed)
