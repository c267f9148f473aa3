"""What a cluster on AKS has before its first sync."""

from charts_py.platform.prerequisite import Prerequisite

_DOCS = "https://learn.microsoft.com/azure/aks"

PREREQUISITES = (
    Prerequisite(
        name="Azure Service Operator, with the kinds of `containerservice.azure.com`",
        without="agent pools are never created, and the waves after them never start",
    ),
    Prerequisite(
        name="A subnet, or an overlay network, with room for `maxPods` on each node",
        checked="`maxPods` is at most what AKS allows on a node",
        without="AKS refuses to make nodes",
    ),
    Prerequisite(
        name="A user-assigned managed identity of the cluster that is Contributor on the resource "
        "group of the capacity reservation groups "
        f"([documentation]({_DOCS}/use-capacity-reservation-groups))",
        needed="for pools with a `reservation`",
        without="AKS refuses to make their agent pools",
    ),
    Prerequisite(
        name="The feature `AKSInfinibandSupport`, registered before the agent pools are made "
        "([InfiniBand on AKS](getting-started.md#infiniband-on-aks))",
        needed="for pools that talk over InfiniBand",
        without="nodes can stand on different networks, and NCCL falls back to Ethernet",
    ),
    Prerequisite(
        name="LocalDNS off on the agent pools, or a CiliumNetworkPolicy in each team's namespace "
        "that allows egress to the entity `host` on port 53 "
        f"([documentation]({_DOCS}/localdns-custom))",
        needed="where `network.policyEngine` is `cilium`; AKS Automatic has LocalDNS on",
        without="pods of teams resolve no names, whatever `network.dnsAddress` says",
    ),
    Prerequisite(
        name="At most 250 nodes and 20,000 pods, and another engine before 2028-09-30, when "
        f"Azure's retires ([documentation]({_DOCS}/use-network-policies))",
        needed="where `network.policyEngine` is `azure`",
        without="its daemons run out of memory",
    ),
)
