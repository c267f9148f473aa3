"""What the pools of a cluster offer, found by the resource that a pod asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpus.catalog import load_catalog
from gpus.vendor import NVIDIA
from policies.platform_names import PURCHASE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gpus.sharing import SharingKind
    from policies.document import Json
    from policies.pod import Pod
    from policies.settings import OfferedResource, PoolSettings

SPOT = "spot"
_SPOT_LABELS = {
    PURCHASE: SPOT,
    # https://learn.microsoft.com/azure/aks/spot-node-pool
    "kubernetes.azure.com/scalesetpriority": SPOT,
    # https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms
    "cloud.google.com/gke-spot": "true",
    # https://karpenter.sh/docs/concepts/scheduling/
    "karpenter.sh/capacity-type": SPOT,
}
"""Node labels by which a pod asks for spot nodes."""


@dataclass(frozen=True, slots=True)
class ResourceOffer:
    """How a resource is offered."""

    pools: tuple[PoolSettings, ...]
    """The pools that offer it."""
    most_per_node: int
    """Allocations of it on the node that has the most."""
    sharing: frozenset[SharingKind]
    """The ways in which it is shared."""


class Offer:
    """What the pools of a cluster offer."""

    def __init__(self, pools: tuple[PoolSettings, ...]) -> None:
        self.pools = pools
        self.by_resource: Mapping[str, ResourceOffer] = _by_resource(pools)
        self.resources = tuple(sorted(self.by_resource))
        """The names of all resources that some pool offers, sorted."""
        catalog = load_catalog()
        vendors = (vendor.resource for vendor in catalog.vendors.values())
        models = (model.resource for model in catalog.models.values() if model.resource)
        whole = {*vendors, *models}
        domain = catalog.vendors[NVIDIA].resource.partition("/")[0]
        self._names = frozenset({*whole, *self.by_resource})
        self._prefixes = (f"{domain}/mig-", *sorted(f"{name}." for name in whole))

    def is_gpu(self, resource: str) -> bool:
        """Whether the resource is a GPU or a part of one, offered or not."""
        return resource in self._names or resource.startswith(self._prefixes)

    def pools_for(self, pod: Pod) -> Sequence[PoolSettings]:
        """Return the pools that offer what the pod asks for and meet its node selector."""
        wanted = pod.gpus
        if not wanted:
            return ()
        offer = self.by_resource.get(next(iter(wanted)))
        if offer is None:
            return ()
        selector = pod.node_selector
        if len(wanted) == 1 and not selector:
            return offer.pools
        return [
            pool
            for pool in offer.pools
            if (len(wanted) == 1 or _offers_all(pool, wanted)) and meets(pool, selector)
        ]


def is_spot(pool: PoolSettings) -> bool:
    """Whether the nodes of the pool can be taken away at any time."""
    return pool.labels.get(PURCHASE) == SPOT


def wants_spot(pod: Pod) -> bool:
    """Whether the pod opts in to spot nodes, by node selector or annotation."""
    if pod.annotations.get(PURCHASE) == SPOT:
        return True
    selector = pod.node_selector
    return bool(selector) and any(selector.get(k) == v for k, v in _SPOT_LABELS.items())


def meets(pool: PoolSettings, selector: Mapping[str, Json]) -> bool:
    """Whether a node of the pool can meet the node selector.

    Labels that the platform does not set, such as a zone, may stand on any of its nodes.
    """
    labels = pool.labels
    for key, value in selector.items():  # noqa: SIM110 # a generator costs as much as its work
        if labels.get(key, value) != value:
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
            most_per_node=max(resource.per_node for _, resource in offers),
            sharing=frozenset(resource.sharing for _, resource in offers),
        )
        for name, offers in offered.items()
    }


def _offers_all(pool: PoolSettings, wanted: Mapping[str, object]) -> bool:
    return wanted.keys() <= {resource.name for resource in pool.resources}
