"""What the platform must know about the cluster's network."""

from enum import StrEnum
from typing import Annotated

from charts_py.cluster_file.bounds import Unique
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import Cidr, IpAddress


class NetworkPolicyEngine(StrEnum):
    """What enforces NetworkPolicies in a cluster; the API server itself does not."""

    VPC_CNI = "vpc-cni"
    DATAPLANE_V2 = "dataplane-v2"
    AZURE = "azure"
    CALICO = "calico"
    CILIUM = "cilium"
    ANTREA = "antrea"
    KUBE_ROUTER = "kube-router"


class Network(StrictModel):
    """What the platform must know about the cluster's network."""

    policy_engine: NetworkPolicyEngine | None = None
    """What enforces NetworkPolicies: `vpc-cni` on EKS, `dataplane-v2` on GKE, `azure` on AKS,
    `antrea` or `kube-router` on-prem, `calico` and `cilium` on several. The platform installs
    none, and where it is not said, none is counted on: without one NetworkPolicies are accepted
    and ignored, so that the pods of all teams reach each other."""
    api_server: Annotated[tuple[Cidr, ...], Unique()] = ()
    """Addresses of the API server: that of the Service `kubernetes` in `default`, which `vpc-cni`
    judges, and those of its endpoints, which other engines do. Namespaces of teams with
    `apiServer` reach them. Cilium matches addresses of the cluster's nodes only with
    `policyCIDRMatchMode: nodes`."""
    dns_address: IpAddress | None = None
    """Address of the Service `kube-dns`, which pods of teams may then ask for names. Needed where
    Calico enforces NetworkPolicies and NodeLocal DNSCache answers at that address itself, in the
    network of its node: no selector of pods matches it."""
