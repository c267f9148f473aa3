"""Nodes, with what shows their pool."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.found_object import FoundObject, Inventory, items, strings, value_at
from gpuplane.adoption.node_names import (
    GKE_ACCELERATOR,
    INSTANCE_TYPE,
    POOL_LABELS,
)
from gpus.catalog import Catalog
from gpus.provider import Provider

_MINOR = re.compile(r"v?([0-9]{1,3}\.[0-9]{1,3})\b")


@dataclass(frozen=True, slots=True)
class FoundNode:
    """A node."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[str, ...]
    """Each as `key=value:effect`."""
    capacity: Mapping[str, str]
    provider_id: str
    kubernetes: str | None
    """Minor version of its kubelet."""

    def __str__(self) -> str:
        return f"Node {self.name}"

    @property
    def pool(self) -> str | None:
        """The pool that its labels name."""
        named = (self.labels[label] for label in POOL_LABELS if label in self.labels)
        return next(named, None)

    @property
    def instance_type(self) -> str | None:
        """The instance type that its label names."""
        return self.labels.get(INSTANCE_TYPE)

    @property
    def provider(self) -> Provider | None:
        """The cloud that it runs in."""
        scheme = self.provider_id.partition("://")[0]
        for provider, facts in PROVIDERS.items():
            if facts.provider_id_scheme == scheme:
                return provider
        named = (
            provider
            for provider, facts in PROVIDERS.items()
            if any(label in self.labels for label in facts.node_labels)
        )
        return next(named, None)

    def has_gpus(self, catalog: Catalog) -> bool:
        """Return whether a label or a resource says so, or the instance type has some."""
        return has_gpus(self.labels, self.capacity, catalog) or any(
            self.instance_type in types for types in catalog.instance_types.values()
        )


def has_gpus(labels: Mapping[str, str], capacity: Mapping[str, str], catalog: Catalog) -> bool:
    """Return whether labels or resources are those of a node with GPUs."""
    domains = {vendor.resource.partition("/")[0] for vendor in catalog.vendors.values()}
    counted = any(
        name.partition("/")[0] in domains and count not in ("", "0")
        for name, count in capacity.items()
    )
    return counted or any(label in labels for label in GPU_LABELS)


GPU_LABELS = (
    GKE_ACCELERATOR,
    "nvidia.com/gpu.product",
    "amd.com/gpu.product-name",
    "gpu.intel.com/product",
)
"""The labels that name the model of a node's GPUs: of GKE, of NVIDIA's GPU feature discovery, of
the device plugins of AMD and Intel (their sources are in gpus/tables/models.toml)."""


def found_nodes(inventory: Inventory) -> tuple[FoundNode, ...]:
    """Return the nodes, sorted by name."""
    nodes = (_node(found) for found in inventory.of("Node", ""))
    return tuple(sorted(nodes, key=lambda node: node.name))


def _node(found: FoundObject) -> FoundNode:
    kubelet = str(value_at(found.document, "status", "nodeInfo", "kubeletVersion") or "")
    minor = _MINOR.match(kubelet)
    return FoundNode(
        name=found.name,
        labels=found.labels,
        taints=taints_in(found.spec),
        capacity=strings(found.document, "status", "capacity"),
        provider_id=str(found.spec.get("providerID") or ""),
        kubernetes=minor.group(1) if minor else None,
    )


def taints_in(spec: Mapping[str, object], field: str = "taints") -> tuple[str, ...]:
    """Return the taints that a spec states, each as `key=value:effect`."""
    return tuple(
        f"{taint.get('key')}={taint.get('value') or ''}:{taint.get('effect')}"
        for taint in items(spec, field)
    )
