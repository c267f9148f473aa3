"""Nodes: which pool they belong to, where they run, and which GPUs they have."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from charts_py.checks.node_marks import RESERVED_DOMAINS, is_of
from charts_py.platform.node_labels import purchases_by_label
from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.adoption.values import items, strings, whole_number
from gpus.catalog import Catalog
from gpus.mig import MigLayout, format_profile
from gpus.model import GpuModel
from gpus.platform_names import GPU_MODEL, POOL, PURCHASE
from gpus.pool_facts import GPU_PRODUCT
from gpus.provider import Provider
from gpus.purchase import Purchase
from policies.document import value_at

REGION = "topology.kubernetes.io/region"
ZONE = "topology.kubernetes.io/zone"
INSTANCE_TYPE = "node.kubernetes.io/instance-type"
"""https://kubernetes.io/docs/reference/labels-annotations-taints/"""
GKE_ACCELERATOR = "cloud.google.com/gke-accelerator"
GKE_PARTITION = "cloud.google.com/gke-gpu-partition-size"
GKE_SHARING = "cloud.google.com/gke-gpu-sharing-strategy"
GKE_CLIENTS = "cloud.google.com/gke-max-shared-clients-per-gpu"
"""https://cloud.google.com/kubernetes-engine/docs/how-to/gpus,
https://cloud.google.com/kubernetes-engine/docs/concepts/timesharing-gpus"""
EKSCTL_CLUSTER = "alpha.eksctl.io/cluster-name"
AKS_CLUSTER = "kubernetes.azure.com/cluster"
"""The name of the resource group of the nodes, `MC_GROUP_CLUSTER_REGION` unless it was chosen
(https://learn.microsoft.com/azure/aks/faq#can-i-provide-my-own-name-for-the-aks-node-resource-group-)."""
GKE_POOL = "cloud.google.com/gke-nodepool"
AKS_POOL = "kubernetes.azure.com/agentpool"
EKS_GROUP = "eks.amazonaws.com/nodegroup"
EKSCTL_GROUP = "alpha.eksctl.io/nodegroup-name"
KARPENTER_POOL = "karpenter.sh/nodepool"
POOL_LABELS = (POOL, KARPENTER_POOL, GKE_POOL, AKS_POOL, EKS_GROUP, EKSCTL_GROUP)
"""The labels that name a node's pool, the first of them that a node has."""
PURCHASE_OF_LABEL: Mapping[tuple[str, str], Purchase] = {
    **{(PURCHASE, purchase.value): purchase for purchase in Purchase},
    **purchases_by_label(PROVIDERS.values()),
}
_KNOWN_DOMAINS = (
    *(*RESERVED_DOMAINS, "k8s-sigs.io", "x-k8s.io"),
    *("nvidia.com", "amd.com", "intel.com", "habana.ai"),
    *("k8s.amazonaws.com", "eksctl.io", "k8s.aws", "gke.io", "azure.com"),
    *("projectcalico.org", "cilium.io"),
    *("oraclecloud.com", "node.info", "coreweave.cloud", "coreweave.com"),
    *("k3s.io", "cattle.io", "rke2.io", "microk8s.io", "talos.dev", "openshift.io"),
)
"""Domains of labels and taints that a provider, the kubelet or a daemon sets."""
_WITHOUT_DOMAIN = frozenset(
    {
        *("agentpool", "accelerator", "storageprofile", "storagetier"),
        *("displayName", "hostname", "internal_addr", "name"),
    }
)
"""Labels without a domain that AKS and OKE set
(https://learn.microsoft.com/azure/aks/use-labels and
https://docs.oracle.com/en-us/iaas/Content/ContEng/Tasks/contengsupportedlabelsusecases.htm)."""
_MINOR = re.compile(r"v?([0-9]{1,3}\.[0-9]{1,3})\b")
GPU_LABELS = (GKE_ACCELERATOR, GPU_PRODUCT, "amd.com/gpu.product-name", "gpu.intel.com/product")
"""The labels that name the model of a node's GPUs: of GKE, of NVIDIA's GPU feature discovery, of
the device plugins of AMD and Intel (their sources are in gpus/tables/models.toml)."""
_SHARED = "-SHARED"
_MIG = "-MIG-"
"""What GPU feature discovery adds to a product that is shared, and to a partition of it
(https://github.com/NVIDIA/k8s-device-plugin/tree/main/docs/gpu-feature-discovery)."""


@dataclass(frozen=True, slots=True)
class FoundNode:
    name: str
    labels: Mapping[str, str]
    taints: tuple[str, ...]
    """Taints, each as `key=value:effect`."""
    capacity: Mapping[str, str]
    provider_id: str
    kubernetes: str | None

    def __str__(self) -> str:
        return f"Node {self.name}"

    @property
    def pool(self) -> str | None:
        named = (self.labels[label] for label in POOL_LABELS if label in self.labels)
        return next(named, None)

    @property
    def instance_type(self) -> str | None:
        return self.labels.get(INSTANCE_TYPE)

    @property
    def provider(self) -> Provider | None:
        scheme = self.provider_id.partition("://")[0]
        named = [one for one, facts in PROVIDERS.items() if facts.provider_id_scheme == scheme]
        for one, facts in PROVIDERS.items():
            named += [one for label in facts.node_labels if label in self.labels]
        return next(iter(named), None)

    def has_gpus(self, catalog: Catalog) -> bool:
        """Return whether a label or a resource says so, or the instance type has some."""
        return has_gpus(self.labels, self.capacity, catalog) or any(
            self.instance_type in types for types in catalog.instance_types.values()
        )


def has_gpus(labels: Mapping[str, str], capacity: Mapping[str, str], catalog: Catalog) -> bool:
    domains = {vendor.resource.partition("/")[0] for vendor in catalog.vendors.values()}
    counted = any(
        name.partition("/")[0] in domains and count not in ("", "0")
        for name, count in capacity.items()
    )
    return counted or any(label in labels for label in GPU_LABELS)


def found_nodes(inventory: Inventory) -> tuple[FoundNode, ...]:
    nodes = (_node(found) for found in inventory.of("Node", ""))
    return tuple(sorted(nodes, key=lambda node: node.name))


def _node(found: FoundObject) -> FoundNode:
    kubelet = str(value_at(found.document, ("status", "nodeInfo", "kubeletVersion")) or "")
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


def is_own(key: str) -> bool:
    """Return whether somebody of the cluster chose the key of a label or taint."""
    return not is_of(_KNOWN_DOMAINS, key) and key not in _WITHOUT_DOMAIN


def known_model(
    labels: Mapping[str, str], instance_types: Iterable[str | None], catalog: Catalog
) -> GpuModel | None:
    """Return the model that the instance type has, or else the label names; None for neither."""
    for offered in catalog.instance_types.values():
        for name in instance_types:
            if name is not None and name in offered:
                return catalog.model(offered[name].gpu)
    products = {model.product: model for model in catalog.models.values()}
    for offer in catalog.offers.values():
        accelerators = offer.accelerators.items()
        products |= {accelerator.type: catalog.model(name) for name, accelerator in accelerators}
    for label in GPU_LABELS:
        if model := products.get(whole_product(labels.get(label, ""))):
            return model
    return _only_one_of(labels.get(GPU_MODEL), catalog)


def _only_one_of(family: str | None, catalog: Catalog) -> GpuModel | None:
    of_family = [model for model in catalog.models.values() if model.family == family]
    return of_family[0] if len(of_family) == 1 else None


def whole_product(product: str) -> str:
    return product.removesuffix(_SHARED).partition(_MIG)[0]


def partition_of(product: str) -> str | None:
    return product.removesuffix(_SHARED).partition(_MIG)[2] or None


def stated_product(labels: Mapping[str, str]) -> str | None:
    return next((labels[label] for label in GPU_LABELS if label in labels), None)


def gpus_per_node(
    resource: str,
    labels: Mapping[str, str],
    capacity: Mapping[str, str],
    layout: MigLayout,
    replicas: int,
) -> int | None:
    """Return the GPUs of a node, of the resource of whole ones; None where nothing says how many.

    The label of GPU feature discovery counts partitions where these go by the name of whole GPUs.
    """
    instances = sum(layout.values()) or 1
    counted = whole_number(labels.get("nvidia.com/gpu.count"))
    if counted is not None:
        partitions = partition_of(labels.get(GPU_PRODUCT, "")) is not None
        return _divided(counted, instances if partitions else 1)
    domain = resource.partition("/")[0]
    for profile, count in layout.items():
        for suffix, shared in (("", 1), (".shared", replicas)):
            offered = capacity.get(f"{domain}/mig-{format_profile(profile)}{suffix}", "0")
            if offered != "0":
                return _divided(whole_number(offered), count * shared)
    whole = resource if resource in capacity else _resource_in(capacity, domain)
    if (shared_gpus := whole_number(capacity.get(f"{whole}.shared"))) is not None:
        return _divided(shared_gpus, replicas)
    return _divided(whole_number(capacity.get(whole)), instances * replicas)


def _resource_in(capacity: Mapping[str, str], domain: str) -> str:
    names = [name for name in capacity if name.startswith(f"{domain}/") and "rdma" not in name]
    return next((name for name in names if not name.endswith(".shared")), f"{domain}/gpu")


def _divided(count: int | None, by: int) -> int | None:
    """Return a whole share of a count; None where it is none, or zero."""
    return count // by if count and count % by == 0 else None
