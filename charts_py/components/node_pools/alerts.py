"""Alerts on nodes with GPUs that are lost, or offer fewer than they have."""

from charts_py.metrics.joins import IN_GPUS
from charts_py.metrics.kube_state import NODE_ALLOCATABLE, NODE_CAPACITY, NOT_READY
from charts_py.metrics.kube_state_metric import in_metrics
from charts_py.metrics.recorded import (
    GPUS_PER_NODE,
    NODE_ALLOCATIONS,
    NODE_POOL,
)
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.rule_group import RuleGroup
from gpus.catalog import load_catalog
from gpus.sharing import SharingKind

_LEAST = 0.01
"""Of a GPU; parts of GPUs do not add up exactly."""
_WITHHELD_MINUTES = 10
"""After which the alert on withheld GPUs fires, and the one on missing GPUs no longer does."""

NODES_UNKNOWN = Alert(
    name="GpuplaneGpuNodesUnknown",
    expression=f"absent({NODE_POOL.name})",
    lasting="15m",
    severity=Severity.WARNING,
    summary="Nobody tells of the nodes of any pool: no alert on nodes, quotas or pods with GPUs"
    " fires, and nothing of them is recorded.",
    remedy="Look at the pod of kube-state-metrics, at whether Prometheus reaches it, and at whether"
    " it serves the label of the pool (`--metric-labels-allowlist`, docs/monitoring.md).",
    source="Some pool always has a node. 15 minutes are more than kube-state-metrics takes to start"
    " on another node.",
)


def _gpus_of(series: str) -> str:
    """Return series of the resources of all makers of GPUs."""
    makers = load_catalog().vendors.values()
    domains = sorted({in_metrics(maker.resource.partition("/")[0]) for maker in makers})
    return f'{series}{{resource=~"({"|".join(domains)})_.+"}}'


def node_alerts() -> tuple[Alert, ...]:
    """Return the alerts on nodes."""
    return (_lost(), _unhealthy(), _fewer(), NODES_UNKNOWN)


def _lost() -> Alert:
    return Alert(
        name="GpuplaneGpuNodeLost",
        expression=f"max by (node) ({NOT_READY})"
        f" and on (node) ({_gpus_of(NODE_CAPACITY.name)} > 0 or {NODE_POOL.name})",
        lasting="10m",
        severity=Severity.CRITICAL,
        summary="Node {{ $labels.node }} with GPUs is not Ready: its pods are lost, and jobs over"
        " several nodes with them.",
        remedy="`kubectl describe node` says what its kubelet last told. Reboot the machine, or"
        " delete the node where the cloud makes another.",
        source="Pods are evicted after five minutes"
        " (https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/); a node"
        " that is taken back by the cloud is gone before ten are over.",
    )


def _unhealthy() -> Alert:
    return Alert(
        name="GpuplaneGpuUnhealthy",
        expression=_withheld(),
        lasting=f"{_WITHHELD_MINUTES}m",
        severity=Severity.WARNING,
        summary="The device plugin withholds {{ $value }} of {{ $labels.resource }} on node"
        " {{ $labels.node }}, as unhealthy: no new pod gets them.",
        remedy="The logs of the device plugin on that node say why, most often by an XID error."
        " Drain the node and reset its GPUs; NVIDIA's plugin only takes a GPU back when it"
        " starts again.",
        source="What is healthy is allocatable"
        " (https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/).",
    )


def _withheld() -> str:
    """Return how many allocations of a node its device plugin knows and does not offer."""
    return (
        f"max by (node, resource) ({_gpus_of(NODE_CAPACITY.name)})"
        f" - max by (node, resource) ({_gpus_of(NODE_ALLOCATABLE.name)}) > 0"
    )


def _fewer() -> Alert:
    promised = (
        f"{NODE_POOL.name} * on (pool) group_left ()"
        f' {GPUS_PER_NODE.name}{{sharing!~".*{SharingKind.MIG}.*"}}'
    )
    offered = f"sum by (node, pool) ({NODE_ALLOCATIONS.name} {IN_GPUS})"
    return Alert(
        name="GpuplaneNodeOffersFewerGpus",
        expression=f"{promised} - on (node, pool) {offered} > {_LEAST}"
        f" unless on (node) (count_over_time(({_withheld()})[{_WITHHELD_MINUTES}m:1m])"
        f" >= {_WITHHELD_MINUTES})",
        lasting="30m",
        severity=Severity.WARNING,
        summary="Node {{ $labels.node }} lacks {{ $value | printf `%.3g` }} of the GPUs that a node"
        " of pool {{ $labels.pool }} has: its device plugin does not advertise them.",
        remedy="`nvidia-smi`, or the tool of the vendor, says on that node which GPU is gone, most"
        " often after a reboot: drain the node and power the machine off and on, and have the GPU"
        " looked at if it stays away.",
        source="The machine of the pool has them. Half an hour is more than a device plugin takes"
        " to start again. With MIG, a GPU may leave a part of itself to no instance, so that those"
        " pools stay out.",
    )


def node_rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return the group, which stands where every cluster has a namespace of its own.

    Where no pool keeps a node, there may well be none to know of.
    """
    keeps_nodes = any(pool.spec.nodes.kept for pool in platform.pools)
    alerts = (each for each in node_alerts() if keeps_nodes or each is not NODES_UNKNOWN)
    group = RuleGroup(
        "gpu-nodes", KUBE_SYSTEM_NAMESPACE, tuple(alerts), reads_other_namespaces=True
    )
    return (group,)
