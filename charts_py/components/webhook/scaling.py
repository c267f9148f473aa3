"""How many replicas the admission webhook's server has, and how many may go at once."""

from constructs import Construct

from charts_py.components.webhook.server import NAME, NAMESPACE, SELECTOR
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.spec.webhook import Replicas

_CPU_PERCENT = 70
"""Of what the pods request."""


class WebhookScaling(Construct):
    """A HorizontalPodAutoscaler by CPU, and a PodDisruptionBudget of one pod."""

    def __init__(self, scope: Construct, id: str, replicas: Replicas) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(NAME, NAMESPACE, labels=SELECTOR)
        target = {"type": "Utilization", "averageUtilization": _CPU_PERCENT}
        autoscaler = {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": NAME},
            "minReplicas": replicas.min,
            "maxReplicas": replicas.max,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
        }
        add_object(
            self, "autoscaling/v2", "HorizontalPodAutoscaler", metadata, {"spec": autoscaler}
        )
        budget = {
            "maxUnavailable": 1,
            "selector": {"matchLabels": dict(SELECTOR)},
            # A pod that is not ready serves nobody, and must not hold up a node's drain.
            "unhealthyPodEvictionPolicy": "AlwaysAllow",
        }
        add_object(self, "policy/v1", "PodDisruptionBudget", metadata, {"spec": budget})
