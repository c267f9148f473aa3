"""Which of the pods that a change stops can start again."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from charts_py.cluster_file.fault import counted
from charts_py.components.kueue.api import PRIORITY
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.running_nodes import RunningNodes
from gpuplane.plan.workload_impact import makers, named
from gpuplane.workloads.capacity import most_pods
from gpuplane.workloads.place import capacities
from gpuplane.workloads.pod_count import pod_count
from policies.manifest_pod import manifest_pods
from policies.pod import Pod
from policies.reach import Offer


@dataclass(frozen=True, slots=True)
class Holding:
    """The pods of a namespace that ask for a resource, and how many do not start again."""

    namespace: str
    count: int
    counts_pods: bool = True
    """False where only the quota is known, or sizes differ: all numbers are of allocations."""
    refused: int = 0
    """Those beyond the quota."""
    waiting: int = 0
    """Those within the quota that find no node."""
    workloads: tuple[str, ...] = ()
    """Empty where only the quota is known; `count` is then an upper bound."""

    def words(self, resource: str) -> str:
        if self.counts_pods:
            return counted(self.count, "pod")
        return f"{'' if self.workloads else 'up to '}{self.count} {resource}"


@dataclass(frozen=True, slots=True)
class Restart:
    """A resource whose pods do not all start again."""

    resource: str
    is_offered: bool
    """Whether a pool offers it afterwards."""
    has_queues: bool
    """Whether jobs beyond the quota wait; else their pods are refused."""
    holdings: tuple[Holding, ...]

    @property
    def workloads(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for each in self.holdings for name in each.workloads))

    @property
    def fits_nowhere(self) -> bool:
        """Whether some pods find no node, whatever their quota."""
        return not self.is_offered or any(each.waiting for each in self.holdings)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Pods of a template, or allocations of a quota."""

    resource: str
    namespace: str
    count: int
    gpus: int
    """What each of them asks for."""
    now: frozenset[str]
    """The pools that they may run on."""
    afterwards: frozenset[str]
    workload: str = ""


class _Capacity:
    """A cluster before or after, and how many pods have room there."""

    def __init__(self, platform: Platform) -> None:
        settings = policy_settings(platform)
        self.capacities = capacities(platform)
        self.pools = frozenset(pool.name for pool in platform.pools)
        self.offer = Offer(settings.pools)
        self._quota_by_pool = settings.queue_priority == PRIORITY

    def reached(self, pod: Pod) -> frozenset[str]:
        return frozenset(pool.name for pool in self.offer.reach(pod).pools)

    def room(self, one: _Asked, pools: Collection[str]) -> tuple[int, int]:
        """Return how many such pods the quota allows, and how many of them the pools hold."""
        held = [each for each in self.capacities[one.namespace] if each.resource == one.resource]
        allowed = sum(each.quota for each in held) // one.gpus
        return allowed, most_pods(held, pools, one.gpus, quota_by_pool=self._quota_by_pool)


def restarts(
    before: Platform,
    after: Platform,
    stopped: Collection[str],
    running: RunningNodes,
    workloads: Sequence[Document] | None,
) -> Iterator[Restart]:
    """Yield the resources of which pods do not all start again; those on `stopped` pools stop.

    Without a list of workloads, as many run as quotas and nodes allow.
    """
    offered = frozenset(after.offered_resources)
    if not stopped and offered.issuperset(before.offered_resources):
        return
    old, new = _Capacity(before), _Capacity(after)
    listed = None if workloads is None else _of_workloads(old, new, workloads)
    found: dict[str, dict[str, list[_Asked]]] = {}
    for each in _of_quotas(before.name, old, new, running) if listed is None else listed:
        # Of what nobody offers, pods never start again, whatever stops them.
        is_touched = each.resource not in offered or not each.now.isdisjoint(stopped)
        if is_touched and each.namespace in old.capacities.keys() & new.capacities:
            found.setdefault(each.resource, {}).setdefault(each.namespace, []).append(each)
    for resource, by_namespace in sorted(found.items()):
        holdings = tuple(_holding(each, old, new) for each in by_namespace.values())
        if short := tuple(each for each in holdings if each.refused or each.waiting):
            yield Restart(resource, resource in offered, after.cluster.queues is not None, short)


def _of_quotas(
    cluster: str, old: _Capacity, new: _Capacity, running: RunningNodes
) -> Iterator[_Asked]:
    for namespace, found in old.capacities.items():
        for each in found:
            nodes = min(running.get((cluster, each.pool), each.nodes), each.nodes)
            if most := min(each.quota, nodes * each.per_node):
                now = frozenset({each.pool})
                yield _Asked(each.resource, namespace, most, 1, now, new.pools)


def _of_workloads(
    old: _Capacity, new: _Capacity, workloads: Iterable[Document]
) -> Iterator[_Asked]:
    resources = (each for pool in old.offer.pools for each in pool.resources)
    names = {each.name: each.same_as or each.name for each in resources}
    for one in makers(workloads):
        for made in manifest_pods(one):
            pod, count = Pod(made.document, old.offer.names.is_gpu), pod_count(one, made.pointer)
            for name, gpus in pod.gpus.items():
                if name in names and type(gpus) is int and gpus and count != 0:
                    yield _Asked(
                        names[name],
                        made.namespace,
                        # An autoscaler keeps one at least.
                        count or 1,
                        gpus,
                        old.reached(pod),
                        new.reached(pod),
                        named(one),
                    )


def _holding(pods: Sequence[_Asked], old: _Capacity, new: _Capacity) -> Holding:
    """Place the pods of a namespace again that have room now, all with one resource."""
    has_one_size = len({each.gpus for each in pods}) == 1
    gpus = pods[0].gpus if has_one_size else 1
    one = replace(pods[0], gpus=gpus)
    now, afterwards = (
        frozenset[str]().union(*pools)
        for pools in ([each.now for each in pods], [each.afterwards for each in pods])
    )
    _, most = old.room(one, now)
    count = min(sum(each.count * each.gpus for each in pods) // gpus, most)
    allowed, fitting = new.room(one, afterwards)
    granted = min(count, allowed)
    workloads = tuple(dict.fromkeys(each.workload for each in pods if each.workload))
    return Holding(
        one.namespace,
        count,
        counts_pods=has_one_size and bool(workloads),
        refused=count - granted,
        waiting=granted - min(granted, fitting),
        workloads=workloads,
    )
