"""The pools that a pod can run on, by what it asks for and the nodes that it selects."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from gpus.sharing import SharingKind
from gpus.taint import Taint
from policies.gpu_names import GpuNames
from policies.node_terms import Term, may_meet, of_pool, read_selector, read_terms
from policies.pod import Pod
from policies.quantity import MILLI
from policies.settings import (
    EPHEMERAL_STORAGE,
    NamespaceSettings,
    OfferedResource,
    PoolSettings,
    offered_by,
)
from policies.toleration import UNSET, is_spot, keeps_off, spot_labels


@dataclass(frozen=True, slots=True)
class ResourceOffer:
    """How a resource is offered."""

    pools: tuple[PoolSettings, ...]
    max_per_node: int
    """Allocations of it on the node that has most of it."""
    max_unshared: int
    """Likewise of the pools that do not share it, of which a container can have several."""
    sharing: frozenset[SharingKind]


class Reach(NamedTuple):
    """The pools that a pod can run on."""

    pools: tuple[PoolSettings, ...]
    """Pools that offer all that it asks for; none where it asks for no GPU resource."""
    selected: tuple[PoolSettings, ...]
    """All whose nodes it selects, whatever they offer."""
    landing: tuple[PoolSettings, ...]
    """Pools whose nodes the scheduler may choose if every label but the name of the pool changes;
    for a GPU pod, also while that label is missing."""
    offered: Mapping[str, ResourceOffer]
    """What `pools` offer; where there are none, what all pools of the cluster do."""
    taints: tuple[Taint, ...]
    """Taints that keep pods off those of `pools` that are not spot, without repeats."""
    taints_with_spot: tuple[Taint, ...]
    """Taints that keep pods off any of `pools`, without repeats."""
    only_spot: bool


SHARED = frozenset({SharingKind.TIME_SLICING, SharingKind.MPS, SharingKind.MIG_TIME_SLICING})
"""The ways of sharing in which two allocations can be of the same GPU or MIG instance."""


def find_reach(
    every: Sequence[PoolSettings],
    wanted: Sequence[str],
    selector: Term,
    terms: tuple[Term, ...] | None,
) -> Reach:
    selected = [pool for pool in every if may_meet(pool, selector) and _meets_one(pool, terms)]
    pools = [pool for pool in selected if wanted and offers_all(pool, wanted)]
    lasting = [pool for pool in pools if not is_spot(pool)]
    return Reach(
        pools=tuple(pools),
        selected=tuple(selected),
        landing=_landing(every, selector, terms, named=bool(wanted)),
        offered=offers_by_resource(pools or every),
        taints=_taints(lasting),
        taints_with_spot=_taints(pools),
        only_spot=bool(pools) and not lasting,
    )


def _landing(
    every: Sequence[PoolSettings], selector: Term, terms: tuple[Term, ...] | None, *, named: bool
) -> tuple[PoolSettings, ...]:
    own = of_pool(selector, named=named)
    owns = None if terms is None else tuple([of_pool(term, named=named) for term in terms])
    return tuple([pool for pool in every if may_meet(pool, own) and _meets_one(pool, owns)])


def _meets_one(pool: PoolSettings, terms: tuple[Term, ...] | None) -> bool:
    return terms is None or any(may_meet(pool, term) for term in terms)


def offers_all(pool: PoolSettings, wanted: Iterable[str]) -> bool:
    return set(wanted) <= {resource.name for resource in pool.resources}


def _taints(pools: Iterable[PoolSettings]) -> tuple[Taint, ...]:
    return tuple(
        dict.fromkeys(taint for pool in pools for taint in pool.taints if keeps_off(taint))
    )


def offers_by_resource(pools: Iterable[PoolSettings]) -> Mapping[str, ResourceOffer]:
    offered: dict[str, list[tuple[PoolSettings, OfferedResource]]] = {}
    for pool in pools:
        for resource in pool.resources:
            offered.setdefault(resource.name, []).append((pool, resource))
    return {
        name: ResourceOffer(
            pools=tuple(pool for pool, _ in offers),
            max_per_node=max(resource.per_node for _, resource in offers),
            max_unshared=max(0 if one.sharing in SHARED else one.per_node for _, one in offers),
            sharing=frozenset(resource.sharing for _, resource in offers),
        )
        for name, offers in offered.items()
    }


def usable(
    pools: Iterable[PoolSettings], namespace: NamespaceSettings | None
) -> tuple[PoolSettings, ...]:
    granted = None if namespace is None else namespace.pools
    return tuple([pool for pool in pools if granted is None or pool.name in granted])


def holds(pool: PoolSettings, pod: Pod) -> bool:
    """Whether a node of the pool, which offers all that the pod asks for, has enough of it."""
    for resource in pool.resources:
        amount = pod.gpus.get(resource.name, 0)
        if amount > resource.per_node:
            return False
        if (
            amount > 1
            and resource.sharing in SHARED
            # Several shares in one container fail only when it starts.
            and any((each.gpus.get(resource.name) or 0) > 1 for each in pod.gpu_containers)
        ):
            return False
    return True


BOUNDED = ("cpu", "memory")
"""What is known of every node beside its GPUs."""
COUNTED = (*BOUNDED, EPHEMERAL_STORAGE)
"""What the scheduler counts of every node beside them."""


def most_of(pool: PoolSettings, resource: str) -> int | None:
    """Return the most of a resource that pods can have of a node, of CPUs in thousandths.

    None where that is not known.
    """
    if resource == "cpu":
        return pool.millicpu
    if resource == "memory":
        return pool.memory
    return pool.disk if resource == EPHEMERAL_STORAGE else pool.others.get(resource, 0)


def bounded_others(pools: Iterable[PoolSettings]) -> tuple[str, ...]:
    """Return the resources beside `COUNTED` of which it is known how many the nodes have."""
    stated = (each for pool in pools for each in pool.others.items())
    return tuple(sorted({name for name, count in stated if count is not None}))


def lacking(pool: PoolSettings, pod: Pod, others: Iterable[str]) -> list[str]:
    """Return of which of `COUNTED` and these other resources no node of the pool has enough."""
    found = []
    for name in (*COUNTED, *others):
        most, asked = most_of(pool, name), pod.effective_request(name)
        if most is not None and (asked * MILLI if name == "cpu" else asked) > most:
            found.append(name)
    return found


_MAX_REACHES = 1024
"""Combinations of resources, node selector and node affinity whose reach is cached."""

_MAX_CACHED = 64
"""Requirements and values of one pod; more are not cached, so that nobody can fill the memory with
them."""


class Offer:
    """What the pools of a cluster offer."""

    def __init__(self, pools: tuple[PoolSettings, ...], absent: Iterable[str] = ()) -> None:
        self.pools = pools
        self.absent_labels = frozenset(absent)
        self.by_resource = offers_by_resource(pools)
        self.bounded_others = bounded_others(pools)
        self.resources = tuple(sorted(self.by_resource))
        self.labels: dict[str, set[str]] = {key: set() for key in absent}
        """The values that each label has on the nodes of some pool; none where no node has it."""
        for pool in pools:
            for key, values in pool.certain_labels.items():
                self.labels.setdefault(key, set()).update(values)
        self.passing_labels = frozenset([key for pool in pools for key in pool.passing_labels])
        """The labels of some pool that nodes can lose."""
        self.gpu_node_labels = frozenset([key for pool in pools for key, _ in pool.gpu_node_labels])
        """The labels that distinguish the nodes of pools from others."""
        self.spot_labels = spot_labels(pools)
        """The labels by which a pod can ask for spot nodes, with their values."""
        hard = {taint.key for pool in pools for taint in pool.taints if keeps_off(taint)}
        self.tolerating_keys = (*UNSET, *sorted(hard))
        """The keys of all tolerations that tolerate a taint which keeps pods off some pool."""
        self.names = GpuNames(self.by_resource)
        """The names by which pods ask for GPUs, offered or not."""
        self._find_reach = partial(find_reach, pools)
        self._cached_reach = lru_cache(maxsize=_MAX_REACHES)(self._find_reach)

    def reach(self, pod: Pod) -> Reach:
        """Return the pools that a pod can run on, by what it asks for and the nodes it selects.

        Whether it tolerates their taints does not matter: a rule adds what is missing.
        """
        selector = pod.node_selector
        term = read_selector(selector, self.labels) if selector else ()
        terms = read_terms(pod.node_terms, self.labels, selector)
        length = _length(term)
        for one in terms or ():
            length += _length(one)
        wanted = self._offered(pod.gpus)
        find = self._cached_reach if length + len(wanted) <= _MAX_CACHED else self._find_reach
        return find(wanted, term, terms)

    def offered_to(self, namespace: NamespaceSettings | None) -> tuple[str, ...]:
        return offered_by(usable(self.pools, namespace))

    def _offered(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """Return what is wanted; nothing where some of it is offered nowhere."""
        names = tuple(wanted)
        for name in names:
            if name not in self.by_resource:
                return ()
        return names


def _length(term: Term) -> int:
    """Return how many requirements and values the cache would keep of the term, and one for it."""
    length = 1
    for _, _, values in term:
        length += 1 + len(values)
    return length
