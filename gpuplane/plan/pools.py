"""Finds the pools of nodes that objects of a cluster make, and those that an object is about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from charts_py.objects.document import Document
from gpus.catalog import Catalog
from gpus.platform_names import GPU_MODEL, POOL
from policies.document import value_at

NODE_POOL = "NodePool.karpenter.sh"
GKE_POOL = "ContainerNodePool.container.cnrm.cloud.google.com"
AKS_POOL = "ManagedClustersAgentPool.containerservice.azure.com"
COMPUTE_CLASS = "ComputeClass.cloud.google.com"
ONE_POOL_EACH = (NODE_POOL, GKE_POOL, AKS_POOL)
"""Objects that make the nodes of one pool each."""
NODE_GROUPS = "ClusterConfig.eksctl.io"
_FEATURE_RULE = "NodeFeatureRule.nfd.k8s-sigs.io"

NODE_LABELS: Mapping[str, tuple[str, ...]] = {
    NODE_POOL: ("spec", "template", "metadata", "labels"),
    GKE_POOL: ("spec", "nodeConfig", "labels"),
    AKS_POOL: ("spec", "nodeLabels"),
    COMPUTE_CLASS: ("spec", "nodePoolConfig", "nodeLabels"),
}
"""Objects that make one pool have the labels of its nodes at these paths."""

_PARTS: Mapping[str, tuple[str, ...]] = {
    _FEATURE_RULE: ("spec", "rules"),
    NODE_GROUPS: ("managedNodeGroups",),
}
"""Objects of several pools list them at these paths; each has `labels`."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The labels of the nodes of a pool."""

    name: str
    labels: Mapping[str, str]


def pools_of(kind: str, document: Document) -> Iterator[Pool]:
    """Yield the pools whose nodes an object of a kind makes, or labels."""
    if path := NODE_LABELS.get(kind):
        found: Any = [value_at(document, path)]
    elif path := _PARTS.get(kind):
        found = [part.get("labels") for part in value_at(document, path) or ()]
    else:
        return
    for labels in found:
        if isinstance(labels, Mapping) and POOL in labels:
            yield Pool(labels[POOL], labels)


def pools_of_vendor(pools: Mapping[str, Pool], vendor: str, catalog: Catalog) -> Iterator[Pool]:
    """Yield the pools with GPUs of a vendor; one whose GPUs are unknown counts as any vendor's."""
    vendors = {model.family: model.vendor for model in catalog.models.values()}
    for _, pool in sorted(pools.items()):
        if vendors.get(pool.labels.get(GPU_MODEL, ""), vendor) == vendor:
            yield pool


def named_pools(value: Any) -> Iterator[str]:
    """Yield the pools that any part of an object chooses by the node label."""
    if isinstance(value, Mapping):
        if value.get("key") == POOL:
            yield from value.get("values") or ()
        for name, member in value.items():
            if name == POOL and isinstance(member, str):
                yield member
            else:
                yield from named_pools(member)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from named_pools(item)
