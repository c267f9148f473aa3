"""The labels of nodes that say where they run and what they belong to."""

from collections.abc import Mapping

from gpus.platform_names import POOL, PURCHASE
from gpus.purchase import AKS_SPOT, GKE_SPOT, KARPENTER_CAPACITY_TYPE, Purchase

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
    (KARPENTER_CAPACITY_TYPE, "spot"): Purchase.SPOT,
    (KARPENTER_CAPACITY_TYPE, "on-demand"): Purchase.ON_DEMAND,
    (KARPENTER_CAPACITY_TYPE, "reserved"): Purchase.RESERVED,
    ("eks.amazonaws.com/capacityType", "SPOT"): Purchase.SPOT,
    ("eks.amazonaws.com/capacityType", "ON_DEMAND"): Purchase.ON_DEMAND,
    ("eks.amazonaws.com/capacityType", "CAPACITY_BLOCK"): Purchase.CAPACITY_BLOCK,
    (GKE_SPOT, "true"): Purchase.SPOT,
    (AKS_SPOT, "spot"): Purchase.SPOT,
}
"""How the nodes with a label are bought."""

KNOWN_DOMAINS = (
    *("kubernetes.io", "k8s.io", "gpuplane.io", "k8s-sigs.io", "nvidia.com", "amd.com"),
    *("intel.com", "habana.ai", "karpenter.sh", "karpenter.k8s.aws", "eks.amazonaws.com"),
    *("k8s.amazonaws.com", "eksctl.io", "cloud.google.com", "kubernetes.azure.com"),
    *("azure.com", "k8s.aws", "gke.io", "x-k8s.io", "projectcalico.org", "cilium.io"),
)
"""Domains of labels and taints that a provider, the kubelet or a daemon sets."""


def is_own(key: str) -> bool:
    """Return whether somebody of the cluster chose the key of a label or taint."""
    domain, slash, _ = key.rpartition("/")
    ends = (domain == known or domain.endswith(f".{known}") for known in KNOWN_DOMAINS)
    return not (slash and any(ends)) and key not in _WITHOUT_DOMAIN


_WITHOUT_DOMAIN = frozenset({"agentpool", "accelerator", "storageprofile", "storagetier"})
"""Labels without a domain that AKS sets
(https://learn.microsoft.com/azure/aks/use-labels)."""
