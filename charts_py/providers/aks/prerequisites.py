"""What a cluster on AKS has before its first sync."""

from charts_py.platform.prerequisite import Prerequisite

PREREQUISITES = (
    Prerequisite(
        name="Azure Service Operator, with the kinds of `containerservice.azure.com`",
        without="agent pools are never made, and the waves after them never start",
    ),
    Prerequisite(
        name="A subnet, or an overlay network, with room for `maxPods` on each node",
        checked="`maxPods` is at most what AKS allows on a node",
        without="AKS refuses to make nodes",
    ),
)
