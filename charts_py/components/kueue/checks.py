"""Checks of the cluster file: queues can place pods by topology, and queued nodes get started."""

from collections.abc import Iterator, Sequence
from itertools import chain

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.pool_hardware import HOSTNAME, NVLINK_DOMAIN, known_levels, nvlink_levels
from charts_py.platform.provider_facts import NodeHardware
from charts_py.providers.registry import PROVIDERS
from gpus.allocator import Allocator
from gpus.nearest import nearest

MAX_LEVELS = 16
"""`topology_types.go` of https://github.com/kubernetes-sigs/kueue at v0.19.2, and of
https://github.com/kai-scheduler/KAI-Scheduler at v0.17.0."""
_PLACING = (QueueEngine.KUEUE, QueueEngine.KAI)
"""Volcano places by HyperNodes, which its controller makes of labels that a file of its own names,
and by tiers of these, which are numbers of the whole cluster."""
_OWN_LABELS = f"levels: labels of your own, or {HOSTNAME} alone"


def check_topology(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each topology that no queue reads, or that leaves jobs waiting."""
    for pool in draft.pools:
        if pool.spec.topology is None or not draft.is_whole((*pool.path, "topology")):
            continue
        if draft.cluster.queue_engine not in _PLACING and draft.is_read(("queues",)):
            what = "no queue places pods by it"
            engines = " or ".join(_PLACING)
            yield Problem((*pool.path, "topology"), what, f"only with queues of {engines}")
        if pool.hardware is not None:
            yield from _check_levels(draft, pool, pool.spec.topology.levels, pool.hardware)
        yield from _check_allocator(draft, pool)
        yield from _check_nodes(draft, pool)


def _check_levels(
    draft: Draft, pool: DraftPool, levels: Sequence[str], hardware: NodeHardware
) -> Iterator[Problem]:
    path = (*pool.path, "topology")
    if not levels and not known_levels(hardware, draft.provider):
        yield Problem(path, "no label is known that tells where its nodes stand", _OWN_LABELS)
    if HOSTNAME in levels[:-1]:
        what = f"{HOSTNAME} is a node, within which there is nothing"
        yield Problem((*path, "levels", levels.index(HOSTNAME)), what, "the last level alone")
    count = len({*levels, HOSTNAME})
    if count > MAX_LEVELS:
        yield Problem((*path, "levels"), f"{count} levels with the node", f"at most {MAX_LEVELS}")
    for index, level in enumerate(levels):
        yield from _check_label((*path, "levels", index), draft, level, hardware)


def _check_label(
    path: FieldPath, draft: Draft, level: str, hardware: NodeHardware
) -> Iterator[Problem]:
    """Yield a problem for a label of somebody who does not label such nodes with it.

    What no provider is known to set is the users' own.
    """
    if _domain(level) not in _known_domains():
        return
    carried = _carried(draft, hardware)
    if level not in carried:
        what = f"no node of the pool has the label {level}"
        yield Problem(path, what, ", ".join(carried), nearest(level, carried))


def _carried(draft: Draft, hardware: NodeHardware) -> tuple[str, ...]:
    """Return the known labels that a node may have; of a machine not listed, all of its provider.

    `machine` is what is listed, or what the file describes.
    """
    provider = draft.provider
    known = provider.topology_levels(hardware) if hardware.machine else provider.topology_labels
    return (*known, *nvlink_levels(hardware, provider), HOSTNAME)


def _known_domains() -> frozenset[str]:
    labels = chain.from_iterable(provider.topology_labels for provider in PROVIDERS.values())
    return frozenset(_domain(label) for label in (*labels, NVLINK_DOMAIN, HOSTNAME))


def _domain(label: str) -> str:
    return label.rpartition("/")[0]


def _check_allocator(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem where nodes advertise no GPUs: Kueue counts what a node can still hold."""
    path = (*pool.path, "allocator")
    if pool.spec.allocator is Allocator.DRA and draft.is_read(path):
        what = "its nodes advertise no GPUs, of which queues see by topology what is free"
        yield Problem(path, what, f"{Allocator.DEVICE_PLUGIN}, or no topology")


def _check_nodes(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem for nodes that are started only for pods.

    With a topology, Kueue lets a job start where there are nodes that are ready: before that it has
    no pods, for which an autoscaler would start one.
    """
    nodes = pool.spec.nodes
    is_read = draft.is_whole((*pool.path, "nodes")) and draft.is_read(("provider",))
    is_started_later = draft.provider.makes_nodes and nodes.kept < nodes.max and not nodes.queued
    if is_started_later and is_read:
        what = f"with a topology, jobs wait for nodes beyond the {nodes.kept} that are kept running"
        yield Problem((*pool.path, "nodes"), what, f"min: {nodes.max}, or no topology")


def check_provisioning(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of queued nodes that the provider or the cluster lacks."""
    for pool in draft.pools:
        path = (*pool.path, "nodes", "queued")
        if not pool.spec.nodes.queued or not draft.is_read(("provider",)):
            continue
        if draft.provider.provisioning_class is None:
            what = f"{draft.provider.name} starts no nodes for a job that waits"
            yield Problem(path, what, "false")
        elif draft.cluster.queue_engine is not QueueEngine.KUEUE and draft.is_read(("queues",)):
            what = "no queue asks for the nodes of a job, so that none ever starts"
            yield Problem(path, what, "true only with queues of kueue")
