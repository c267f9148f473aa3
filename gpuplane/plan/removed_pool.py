"""Finds the pools that a change removes, who may run there, and what waits for a confirmation."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.plan.effect import Change, PlannedObject, Verdict
from gpuplane.plan.outage import PoolNodes, pool_nodes
from gpuplane.plan.part import Part
from gpuplane.plan.rollout import Mechanism, exactly
from gpuplane.plan.running_nodes import RunningNodes
from gpuplane.reports.cost.cost_statement import number_of
from gpuplane.reports.queues import NamespaceLine, namespace_lines
from gpuplane.tables import Row, Table
from gpus.platform_names import POOL
from gpus.pool_facts import gpus_per_allocation

_REMOVING = (Mechanism.POOL_DELETION, Mechanism.RELABELLING)
"""How nodes are taken from a pool that goes."""

_WHEN = {False: "From the merge on", True: "Once promoted"}
_HEADERS = (
    "Pool",
    "Verdict",
    "Namespace",
    "Team",
    "GPUs of its own",
    "Borrows",
    "GPUs of the pool",
    "Nodes",
)


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
    known: Sequence[Platform] = (),
) -> Iterator[RemovedPool]:
    """Yield the pools that only the first side has; none where a side is not known.

    The first of the `known` clusters that has a pool tells its size.
    """
    if before is None or after is None:
        return
    removed = tuple(each for each in objects if each.change is Change.REMOVED)
    left = {pool.name for pool in after.pools}
    for pool in before.pools:
        nodes = pool_nodes(before.name, pool.name, running, *known, before)
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


def removed_pool_part(
    cluster: str, pools: tuple[RemovedPool, ...], *, is_later: bool = False
) -> Iterator[Part]:
    """Yield the part, if any; `is_later` where a promotion removes them, and not the merge."""
    if not pools:
        return
    rows = tuple(row for pool in pools for row in _rows(pool))
    yield Part(
        "Pools that go",
        tables=(Table(_HEADERS, rows, words=4),),
        notes=(
            *_fates(cluster, pools, _WHEN[is_later]),
            *map(_renamed, filter(lambda one: one.successor, pools)),
        ),
        commands=tuple(_commands(pools)),
    )


def _rows(pool: RemovedPool) -> Iterator[Row]:
    nodes = pool.nodes.nodes
    gpus = nodes * exactly(pool.nodes.gpus)
    named, size = (pool.name, pool.verdict.word), (gpus.words(), nodes.words())
    if not pool.holders:
        yield (*named, "-", "-", "0", "0", *size)
    for each in pool.holders:
        amounts = (number_of(each.own), number_of(each.borrowed))
        yield (*named, each.namespace, each.team, *amounts, *size)


def _fates(cluster: str, pools: Iterable[RemovedPool], when: str) -> Iterator[str]:
    alike: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    for pool in pools:
        alike.setdefault((pool.held_by, pool.is_removed), []).append(pool.name)
    for (held_by, is_removed), names in alike.items():
        if held_by:
            waiting = " and ".join(f"{cluster}-{component}" for component in held_by)
            yield (
                f"Somebody has to confirm the removal of {', '.join(names)}: until then nodes and "
                f"what runs there stay, and the next version waits for the sync of {waiting}. "
                f"{when}, queues and admission give them to no new pod."
            )
        elif is_removed:
            yield (
                f"Nobody is asked before {', '.join(names)} goes: what is live does not yet have "
                "Argo CD wait."
            )
        else:
            yield f"Argo CD removes nothing of {', '.join(names)}: a person does."


def _renamed(pool: RemovedPool) -> str:
    passes = (
        "Its machines stay, and belong to the new pool."
        if pool.keeps_machines
        else "No node passes from one to the other: the new pool starts its own."
    )
    return (
        f"{pool.name} becomes {pool.successor}, which is a removal and an addition. {passes} Pods "
        f"that name {pool.name} start nowhere."
    )


def _commands(pools: Iterable[RemovedPool]) -> Iterator[str]:
    """Yield what frees the nodes before somebody confirms."""
    for pool in pools:
        if pool.held_by and not (pool.keeps_machines and pool.successor):
            selector = shlex.quote(f"{POOL}={pool.name}")
            yield f"kubectl drain --selector {selector} --ignore-daemonsets --delete-emptydir-data"
