"""How many replicas the admission webhook's server has, and how many may go at once."""

from charts_py.cluster_file.webhook import Replicas
from charts_py.components.webhook.server import METADATA, NAME, SELECTOR
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of

_CPU_PERCENT = 70
"""Of what the pods request."""


def autoscaler(replicas: Replicas) -> Document:
    """Return a HorizontalPodAutoscaler by CPU."""
    target = {"type": "Utilization", "averageUtilization": _CPU_PERCENT}
    spec = {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": NAME},
        "minReplicas": replicas.min,
        "maxReplicas": replicas.max,
        "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
    }
    return object_of("autoscaling/v2", "HorizontalPodAutoscaler", METADATA, {"spec": spec})


def disruption_budget() -> Document:
    """Return a PodDisruptionBudget of one pod."""
    spec = {
        "maxUnavailable": 1,
        "selector": {"matchLabels": dict(SELECTOR)},
        # A pod that is not ready serves nobody, and must not hold up a node's drain.
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
    }
    return object_of("policy/v1", "PodDisruptionBudget", METADATA, {"spec": spec})
