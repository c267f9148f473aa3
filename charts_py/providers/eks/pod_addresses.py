"""The addresses that the Amazon VPC CNI has for the pods of a node."""

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.provider import EksProvisioner, EksSettings
from charts_py.platform.hardware import NodeHardware
from charts_py.providers.eks.ec2_network import network_interfaces

_ON_HOST_NETWORK = 2
"""Pods on every node that need no address: kube-proxy and the CNI itself."""
_PREFIX = 16
"""Addresses of a prefix, which takes the place of one."""


def addressed_pods(cluster: Cluster, hardware: NodeHardware) -> int | None:
    """Return how many pods a node has addresses for; None where its interfaces are not known.

    The CNI uses the first network card alone, and an interface for EFA alone has no address.
    https://github.com/aws/amazon-vpc-cni-k8s (scripts/gen_vpc_ip_limits.go) and `ENILimitedPods` of
    https://github.com/aws/karpenter-provider-aws (pkg/providers/instancetype/types.go)
    """
    machine = hardware.machine
    if cluster.eks is None or machine is None or machine.pod_interfaces == 0:
        return None
    interfaces = machine.pod_interfaces - _without_address(cluster.eks, hardware)
    secondary = machine.interface_addresses - 1
    per_address = _PREFIX if cluster.eks.prefix_delegation else 1
    return interfaces * secondary * per_address + _ON_HOST_NETWORK


def _without_address(eks: EksSettings, hardware: NodeHardware) -> int:
    """Return how many interfaces of the first network card are for EFA alone.

    eksctl makes the primary interface one of EFA with addresses, and adds none beside it
    (https://github.com/eksctl-io/eksctl pkg/cfn/builder/network_interfaces.go, v0.230.0).
    """
    if eks.provisioner is EksProvisioner.EKSCTL:
        return 0
    return sum(
        (interface["networkCardIndex"], interface["interfaceType"]) == (0, "efa-only")
        for interface in network_interfaces(hardware)
    )
