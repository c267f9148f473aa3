"""Alerts on nodes with GPUs that are lost, or offer fewer than they have."""

from charts_py.metrics.kube_state import NODE_ALLOCATABLE, NODE_CAPACITY, NODE_CONDITION
from charts_py.metrics.kube_state_metric import in_metrics
from charts_py.metrics.recorded import NODE_POOL
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.rule_group import RuleGroup
from gpus.catalog import load_catalog


def _gpus_of(series: str) -> str:
    """Return series of the resources of all makers of GPUs."""
    makers = load_catalog().vendors.values()
    domains = sorted({in_metrics(maker.resource.partition("/")[0]) for maker in makers})
    return f'{series}{{resource=~"({"|".join(domains)})_.+"}}'


def node_alerts() -> tuple[Alert, ...]:
    """Return the alerts on nodes."""
    return (_lost(), _unhealthy())


def _lost() -> Alert:
    not_ready = f'{NODE_CONDITION.name}{{condition="Ready", status=~"false|unknown"}} == 1'
    return Alert(
        name="GpuplaneGpuNodeLost",
        expression=f"max by (node) ({not_ready})"
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
        expression=f"max by (node, resource) ({_gpus_of(NODE_CAPACITY.name)})"
        f" - max by (node, resource) ({_gpus_of(NODE_ALLOCATABLE.name)}) > 0",
        lasting="10m",
        severity=Severity.WARNING,
        summary="The device plugin withholds {{ $value }} of {{ $labels.resource }} on node"
        " {{ $labels.node }}, as unhealthy: no new pod gets them.",
        remedy="The logs of the device plugin on that node say why, most often by an XID error."
        " Drain the node and reset its GPUs; NVIDIA's plugin only takes a GPU back when it"
        " starts again.",
        source="What is healthy is allocatable"
        " (https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/).",
    )


def node_rules() -> tuple[RuleGroup, ...]:
    """Return the group, which stands where every cluster has a namespace of its own."""
    group = RuleGroup(
        "gpu-nodes", KUBE_SYSTEM_NAMESPACE, node_alerts(), reads_other_namespaces=True
    )
    return (group,)
