"""What the pools of a cluster offer, found by the resource that a pod asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from gpus.allocator import device_class_resource
from gpus.catalog import load_catalog
from gpus.platform_names import PURCHASE
from gpus.purchase import Purchase
from gpus.sharing import SharingKind
from gpus.spot_labels import AKS_SPOT, GKE_SPOT, KARPENTER_CAPACITY_TYPE
from gpus.taint import Taint
from gpus.vendor import NVIDIA
from policies.node_terms import may_meet, read_selector, read_terms
from policies.settings import PoolSettings
from policies.toleration import UNSET, keeps_off

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.document import Json
    from policies.node_terms import Term
    from policies.pod import Pod
    from policies.settings import OfferedResource

_SPOT_LABELS = {
    PURCHASE: Purchase.SPOT.value,
    AKS_SPOT: Purchase.SPOT.value,
    GKE_SPOT: "true",
    KARPENTER_CAPACITY_TYPE: Purchase.SPOT.value,
}
"""Node labels by which a pod asks for spot nodes."""

SHARED = frozenset({SharingKind.TIME_SLICING, SharingKind.MPS, SharingKind.MIG_TIME_SLICING})
"""The ways of sharing in which two allocations can be of the same GPU or MIG instance."""


@dataclass(frozen=True, slots=True)
class ResourceOffer:
    """How a resource is offered."""

    pools: tuple[PoolSettings, ...]
    """The pools that offer it."""
    max_per_node: int
    """Allocations of it on the node that has most of it."""
    sharing: frozenset[SharingKind]
    """The ways in which it is shared."""


class Reach(NamedTuple):
    """The pools that a pod can run on."""

    pools: tuple[PoolSettings, ...]
    """Those that offer all that it asks for; none where it asks for no GPU resource."""
    selected: tuple[PoolSettings, ...]
    """All whose nodes it selects, whatever they offer."""
    by_resource: Mapping[str, ResourceOffer]
    """What the first offer."""
    taints: tuple[Taint, ...]
    """Taints that keep pods off those of the first that are not spot, without repeats."""
    taints_with_spot: tuple[Taint, ...]
    """Taints that keep pods off any of the first, without repeats."""
    only_spot: bool
    """Whether all of the first, at least one, can be taken away at any time."""


_MAX_REACHES = 1024
"""Combinations of resources, node selector and node affinity whose reach is cached."""
_MAX_CACHED = 32
"""Requirements of one pod; more are not cached, so that nobody can fill the memory with them."""


class Offer:
    """What the pools of a cluster offer."""

    def __init__(self, pools: tuple[PoolSettings, ...]) -> None:
        self.pools = pools
        self.by_resource: Mapping[str, ResourceOffer] = _by_resource(pools)
        self.resources = tuple(sorted(self.by_resource))
        """The names of all resources that some pool offers, sorted."""
        self.labels = _values_by_label(pools)
        """The values that each label has on the nodes of some pool."""
        keys = {taint.key for pool in pools for taint in pool.taints if keeps_off(taint)}
        self.tolerating_keys: tuple[Json, ...] = (*UNSET, *sorted(keys))
        """The keys of all tolerations that tolerate a taint which keeps pods off some pool."""
        catalog = load_catalog()
        vendors = (vendor.resource for vendor in catalog.vendors.values())
        models = (model.resource for model in catalog.models.values() if model.resource)
        whole = {*vendors, *models}
        domain = catalog.vendors[NVIDIA].resource.partition("/")[0]
        makers = catalog.vendors.values()
        self.gpu_device_classes = frozenset(name for each in makers for name in each.device_classes)
        """The names of the device classes of GPUs that drivers bring."""
        classes = map(device_class_resource, self.gpu_device_classes)
        self._names = frozenset({*whole, *classes, *self.by_resource})
        self._prefixes = (f"{domain}/mig-", *sorted(f"{name}." for name in whole))
        self._reach = lru_cache(maxsize=_MAX_REACHES)(self._find_reach)

    def is_gpu(self, resource: str) -> bool:
        """Whether the resource is a GPU or a part of one, offered or not."""
        return resource in self._names or resource.startswith(self._prefixes)

    def reach(self, pod: Pod) -> Reach:
        """Return the pools that a pod can run on, by what it asks for and the nodes it selects.

        Whether it tolerates their taints does not matter: a rule adds what is missing.
        """
        if pod.reach is None:
            selector = pod.node_selector
            term = read_selector(selector, self.labels) if selector else ()
            terms = read_terms(pod.node_terms, self.labels)
            length = len(term)
            for one in terms or ():
                length += len(one) + 1
            find = self._reach if length <= _MAX_CACHED else self._find_reach
            pod.reach = find(self._offered(pod.gpus), term, terms)
        return pod.reach

    def _offered(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """Return what is wanted; nothing where some of it is offered nowhere."""
        names = tuple(wanted)
        for name in names:
            if name not in self.by_resource:
                return ()
        return names

    def _find_reach(
        self, wanted: tuple[str, ...], selector: Term, terms: tuple[Term, ...] | None
    ) -> Reach:
        selected = [
            pool for pool in self.pools if may_meet(pool, selector) and _meets_one(pool, terms)
        ]
        pools = [pool for pool in selected if wanted and _offers_all(pool, wanted)]
        lasting = [pool for pool in pools if not is_spot(pool)]
        return Reach(
            pools=tuple(pools),
            selected=tuple(selected),
            by_resource=_by_resource(pools),
            taints=_taints(lasting),
            taints_with_spot=_taints(pools),
            only_spot=bool(pools) and not lasting,
        )


def _meets_one(pool: PoolSettings, terms: tuple[Term, ...] | None) -> bool:
    return terms is None or any(may_meet(pool, term) for term in terms)


def _taints(pools: Iterable[PoolSettings]) -> tuple[Taint, ...]:
    return tuple(
        dict.fromkeys(taint for pool in pools for taint in pool.taints if keeps_off(taint))
    )


def _values_by_label(pools: Iterable[PoolSettings]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for pool in pools:
        for key, value in pool.labels.items():
            values.setdefault(key, set()).add(value)
    return values


def is_spot(pool: PoolSettings) -> bool:
    """Whether the nodes of the pool can be taken away at any time."""
    return pool.labels.get(PURCHASE) == Purchase.SPOT.value


def wants_spot(pod: Pod) -> bool:
    """Whether the pod opts in to spot nodes, by node selector or annotation."""
    if pod.annotations.get(PURCHASE) == Purchase.SPOT.value:
        return True
    selector = pod.node_selector
    for key, value in selector.items():
        if key in _SPOT_LABELS and value == _SPOT_LABELS[key]:
            return True
    return False


def _by_resource(pools: Iterable[PoolSettings]) -> dict[str, ResourceOffer]:
    offered: dict[str, list[tuple[PoolSettings, OfferedResource]]] = {}
    for pool in pools:
        for resource in pool.resources:
            offered.setdefault(resource.name, []).append((pool, resource))
    return {
        name: ResourceOffer(
            pools=tuple(pool for pool, _ in offers),
            max_per_node=max(resource.per_node for _, resource in offers),
            sharing=frozenset(resource.sharing for _, resource in offers),
        )
        for name, offers in offered.items()
    }


def holds(pool: PoolSettings, pod: Pod) -> bool:
    """Whether a node of the pool, which offers all that the pod asks for, has enough of it."""
    for resource in pool.resources:
        amount = pod.gpus.get(resource.name, 0)
        if amount > resource.per_node:
            return False
        # Several shares in one container fail only when it starts.
        if amount > 1 and resource.sharing in SHARED and _asks_for_several(pod, resource.name):
            return False
    return True


def _asks_for_several(pod: Pod, resource: str) -> bool:
    return any((container.gpus.get(resource) or 0) > 1 for container in pod.gpu_containers)


def _offers_all(pool: PoolSettings, wanted: tuple[str, ...]) -> bool:
    return set(wanted) <= {resource.name for resource in pool.resources}
