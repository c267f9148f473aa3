"""What the pools of a cluster offer, found by the resource that a pod asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.catalog import load_catalog
from gpus.vendor import NVIDIA
from policies.platform_names import PURCHASE

if TYPE_CHECKING:
    from collections.abc import Mapping

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


class Offer:
    """What the pools of a cluster offer."""

    def __init__(self, pools: tuple[PoolSettings, ...]) -> None:
        catalog = load_catalog()
        self.pools = pools
        self._by_resource: dict[str, tuple[tuple[PoolSettings, OfferedResource], ...]] = {}
        for pool in pools:
            for resource in pool.resources:
                offers = self._by_resource.get(resource.name, ())
                self._by_resource[resource.name] = (*offers, (pool, resource))
        self.resources = tuple(sorted(self._by_resource))
        """The names of all resources that some pool offers, sorted."""
        vendors = (vendor.resource for vendor in catalog.vendors.values())
        models = (model.resource for model in catalog.models.values() if model.resource)
        whole = {*vendors, *models}
        domain = catalog.vendors[NVIDIA].resource.partition("/")[0]
        self._names = frozenset({*whole, *self._by_resource})
        self._prefixes = (f"{domain}/mig-", *sorted(f"{name}." for name in whole))

    def is_gpu(self, resource: str) -> bool:
        """Whether the resource is a GPU or a part of one, offered or not."""
        return resource in self._names or resource.startswith(self._prefixes)

    def of(self, resource: str) -> tuple[tuple[PoolSettings, OfferedResource], ...]:
        """Return the pools that offer the resource, each with how it does."""
        return self._by_resource.get(resource, ())

    def pools_for(self, pod: Pod) -> list[PoolSettings]:
        """Return the pools that offer what the pod asks for and meet its node selector."""
        wanted = pod.gpus
        if not wanted:
            return []
        selector = pod.node_selector
        first = next(iter(wanted))
        return [
            pool
            for pool, _ in self.of(first)
            if (len(wanted) == 1 or _offers_all(pool, wanted)) and _meets(pool, selector)
        ]


def is_spot(pool: PoolSettings) -> bool:
    """Whether the nodes of the pool can be taken away at any time."""
    return pool.labels.get(PURCHASE) == SPOT


def wants_spot(pod: Pod) -> bool:
    """Whether the pod opts in to spot nodes, by node selector or annotation."""
    if pod.annotations.get(PURCHASE) == SPOT:
        return True
    selector = pod.node_selector
    return any(selector.get(key) == value for key, value in _SPOT_LABELS.items())


def _offers_all(pool: PoolSettings, wanted: Mapping[str, object]) -> bool:
    return wanted.keys() <= {resource.name for resource in pool.resources}


def _meets(pool: PoolSettings, selector: Mapping[str, Json]) -> bool:
    # Labels that the platform does not set, such as a zone, may stand on any of its nodes.
    return all(pool.labels.get(key, value) == value for key, value in selector.items())
