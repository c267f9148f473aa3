"""What the pools of a cluster offer, found by the resource that a pod asks for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from gpus.catalog import load_catalog
from gpus.platform_names import PURCHASE
from gpus.purchase import Purchase
from gpus.sharing import SharingKind
from gpus.spot_labels import AKS_SPOT, GKE_SPOT, KARPENTER_CAPACITY_TYPE
from gpus.taint import Taint
from gpus.vendor import NVIDIA
from policies.settings import PoolSettings
from policies.toleration import UNSET, keeps_off

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from policies.document import Json
    from policies.pod import Pod
    from policies.settings import OfferedResource

    _Selector: TypeAlias = tuple[tuple[str, str | None], ...]
    """A node selector; None for a value that no pool has."""

_SPOT_LABELS = {
    PURCHASE: Purchase.SPOT.value,
    AKS_SPOT: Purchase.SPOT.value,
    GKE_SPOT: "true",
    KARPENTER_CAPACITY_TYPE: Purchase.SPOT.value,
}
"""Node labels by which a pod asks for spot nodes."""


@dataclass(frozen=True, slots=True)
class ResourceOffer:
    """How a resource is offered."""

    pools: tuple[PoolSettings, ...]
    """The pools that offer it."""
    max_per_node: int
    """Allocations of it on the node that has most of it."""
    sharing: frozenset[SharingKind]
    """The ways in which it is shared."""


class Candidates(NamedTuple):
    """The pools that a pod can run on."""

    pools: tuple[PoolSettings, ...] = ()
    taints: tuple[Taint, ...] = ()
    """Taints that keep pods off the pools that are not spot, without repeats."""
    taints_with_spot: tuple[Taint, ...] = ()
    """Taints that keep pods off any of the pools, without repeats."""


_NONE = Candidates()
_MAX_CANDIDATES = 1024
"""Combinations of resources and node selector whose candidates are cached."""


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
        self._names = frozenset({*whole, *self.by_resource})
        self._prefixes = (f"{domain}/mig-", *sorted(f"{name}." for name in whole))
        self._candidates = lru_cache(maxsize=_MAX_CANDIDATES)(self._find_candidates)

    def is_gpu(self, resource: str) -> bool:
        """Whether the resource is a GPU or a part of one, offered or not."""
        return resource in self._names or resource.startswith(self._prefixes)

    def candidates(self, pod: Pod) -> Candidates:
        """Return the pools that offer what the pod asks for and meet its node selector."""
        wanted = pod.gpus
        if not wanted:
            return _NONE
        for resource in wanted:
            if resource not in self.by_resource:
                return _NONE
        selector = pod.node_selector
        return self._candidates(tuple(wanted), self._known(selector) if selector else ())

    def _known(self, selector: Mapping[str, Json]) -> _Selector:
        """Return what pools can meet or not; nothing else that a pod says is cached."""
        known = []
        for key, value in selector.items():
            values = self.labels.get(key)
            if values is not None:
                known.append((key, value if type(value) is str and value in values else None))
        return tuple(known)

    def _find_candidates(self, wanted: tuple[str, ...], selector: _Selector) -> Candidates:
        pools = [
            pool
            for pool in self.by_resource[wanted[0]].pools
            if _offers_all(pool, wanted) and meets(pool, dict(selector))
        ]
        lasting = [pool for pool in pools if not is_spot(pool)]
        return Candidates(tuple(pools), _taints(lasting), _taints(pools))


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


def meets(pool: PoolSettings, selector: Mapping[str, Json]) -> bool:
    """Whether a node of the pool can meet the node selector.

    Labels that the platform does not set, such as a zone, may be on any of its nodes.
    """
    labels = pool.labels
    for key, value in selector.items():  # noqa: SIM110 # a generator costs as much as its work
        if key in labels and labels[key] != value:
            return False
    return True


def _by_resource(pools: tuple[PoolSettings, ...]) -> dict[str, ResourceOffer]:
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


def _offers_all(pool: PoolSettings, wanted: tuple[str, ...]) -> bool:
    return set(wanted) <= {resource.name for resource in pool.resources}
