"""What enforces NetworkPolicies."""

from enum import StrEnum


class NetworkPolicyEngine(StrEnum):
    """What enforces NetworkPolicies in a cluster; the API server itself does not."""

    VPC_CNI = "vpc-cni"
    DATAPLANE_V2 = "dataplane-v2"
    AZURE = "azure"
    CALICO = "calico"
    CILIUM = "cilium"
    ANTREA = "antrea"
    KUBE_ROUTER = "kube-router"
