"""The metrics of kube-state-metrics that rules read.

Names and labels: docs/metrics of https://github.com/kubernetes/kube-state-metrics at v2.20.0. What
a pod has requested stays there after it has finished.
"""

from charts_py.metrics.dcgm_counter import MetricType
from charts_py.metrics.kube_state_metric import KubeStateMetric, in_metrics
from gpus.platform_names import POOL

_REQUEST_LABELS = ("namespace", "pod", "uid", "container", "node", "resource", "unit")
"""`node` is empty until the pod is bound."""

POOL_LABEL = f"label_{in_metrics(POOL)}"
"""The label of `NODE_LABELS` that holds the pool, where kube-state-metrics is told to serve it."""

NODE_LABELS = KubeStateMetric("kube_node_labels", MetricType.GAUGE, ("node", POOL_LABEL))
NODE_CAPACITY = KubeStateMetric(
    "kube_node_status_capacity", MetricType.GAUGE, ("node", "resource", "unit")
)
NODE_CONDITION = KubeStateMetric(
    "kube_node_status_condition", MetricType.GAUGE, ("node", "condition", "status")
)
NODE_TAINT = KubeStateMetric(
    "kube_node_spec_taint", MetricType.GAUGE, ("node", "key", "value", "effect")
)
NODE_ALLOCATABLE = KubeStateMetric(
    "kube_node_status_allocatable", MetricType.GAUGE, ("node", "resource", "unit")
)
CONTAINER_REQUESTS = KubeStateMetric(
    "kube_pod_container_resource_requests", MetricType.GAUGE, _REQUEST_LABELS
)
INIT_CONTAINER_REQUESTS = KubeStateMetric(
    "kube_pod_init_container_resource_requests", MetricType.GAUGE, _REQUEST_LABELS
)
INIT_CONTAINER_INFO = KubeStateMetric(
    "kube_pod_init_container_info",
    MetricType.GAUGE,
    (
        "namespace",
        "pod",
        "uid",
        "container",
        "image_spec",
        "image",
        "image_id",
        "container_id",
        "restart_policy",
    ),
)
POD_PHASE = KubeStateMetric(
    "kube_pod_status_phase", MetricType.GAUGE, ("namespace", "pod", "uid", "phase")
)
RESOURCE_QUOTA = KubeStateMetric(
    "kube_resourcequota", MetricType.GAUGE, ("namespace", "resourcequota", "resource", "type")
)
BUDGET_ALLOWS = KubeStateMetric(
    "kube_poddisruptionbudget_status_pod_disruptions_allowed",
    MetricType.GAUGE,
    ("namespace", "poddisruptionbudget"),
)
BUDGET_PODS = KubeStateMetric(
    "kube_poddisruptionbudget_status_expected_pods",
    MetricType.GAUGE,
    ("namespace", "poddisruptionbudget"),
)
BUDGET_HEALTHY = KubeStateMetric(
    "kube_poddisruptionbudget_status_current_healthy",
    MetricType.GAUGE,
    ("namespace", "poddisruptionbudget"),
)
BUDGET_SEEN = KubeStateMetric(
    "kube_poddisruptionbudget_status_observed_generation",
    MetricType.GAUGE,
    ("namespace", "poddisruptionbudget"),
)
POD_OWNER = KubeStateMetric(
    "kube_pod_owner",
    MetricType.GAUGE,
    ("namespace", "pod", "uid", "owner_kind", "owner_name", "owner_is_controller"),
)
CONTAINER_RESTARTS = KubeStateMetric(
    "kube_pod_container_status_restarts_total",
    MetricType.COUNTER,
    ("namespace", "pod", "uid", "container"),
)

NOT_READY = f'{NODE_CONDITION.name}{{condition="Ready", status=~"false|unknown"}} == 1'
"""Nodes that are not Ready, or of which nobody knows, in PromQL."""

KUBE_STATE_METRICS = (
    NODE_LABELS,
    NODE_CAPACITY,
    NODE_CONDITION,
    NODE_TAINT,
    NODE_ALLOCATABLE,
    CONTAINER_REQUESTS,
    INIT_CONTAINER_REQUESTS,
    INIT_CONTAINER_INFO,
    POD_PHASE,
    RESOURCE_QUOTA,
    BUDGET_ALLOWS,
    BUDGET_PODS,
    BUDGET_HEALTHY,
    BUDGET_SEEN,
    POD_OWNER,
    CONTAINER_RESTARTS,
)
"""Of nodes, pods and quotas."""

DEPLOYMENT_AVAILABLE = KubeStateMetric(
    "kube_deployment_status_replicas_available", MetricType.GAUGE, ("namespace", "deployment")
)
