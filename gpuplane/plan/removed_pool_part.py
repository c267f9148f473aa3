"""The part of a plan about pools that go: whose they are, who is asked, and how to drain them."""

import shlex
from collections.abc import Iterable, Iterator

from gpuplane.plan.part import Part
from gpuplane.plan.removed_pool import RemovedPool
from gpuplane.plan.rollout import exactly
from gpuplane.reports.cost.cost_statement import number_of
from gpuplane.tables import Row, Table
from gpus.platform_names import POOL

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


def removed_pool_part(cluster: str, pools: tuple[RemovedPool, ...]) -> Iterator[Part]:
    if not pools:
        return
    rows = tuple(row for pool in pools for row in _rows(pool))
    yield Part(
        "Pools that go",
        tables=(Table(_HEADERS, rows, words=4),),
        notes=(*_fates(cluster, pools), *map(_renamed, filter(lambda one: one.successor, pools))),
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


def _fates(cluster: str, pools: Iterable[RemovedPool]) -> Iterator[str]:
    alike: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    for pool in pools:
        alike.setdefault((pool.held_by, pool.is_removed), []).append(pool.name)
    for (held_by, is_removed), names in alike.items():
        if held_by:
            waiting = " and ".join(f"{cluster}-{component}" for component in held_by)
            yield (
                f"Somebody has to confirm the removal of {', '.join(names)}: until then nodes and "
                f"what runs there stay, and the next version waits for the sync of {waiting}. "
                "Queues and admission give them to no new pod from the merge on."
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
