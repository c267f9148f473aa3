"""How many replicas the admission webhook's server has."""

from charts_py.cluster_file.webhook import Replicas
from charts_py.components.webhook.scaling import autoscaler, disruption_budget


def test_load_adds_replicas() -> None:
    assert autoscaler(Replicas(min=3, max=9))["spec"] == {
        "scaleTargetRef": {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": "gpuplane-webhook",
        },
        "minReplicas": 3,
        "maxReplicas": 9,
        "metrics": [
            {
                "type": "Resource",
                "resource": {
                    "name": "cpu",
                    "target": {"type": "Utilization", "averageUtilization": 70},
                },
            }
        ],
    }


def test_a_drain_takes_one_pod_at_a_time() -> None:
    assert disruption_budget()["spec"] == {
        "maxUnavailable": 1,
        "selector": {"matchLabels": {"app.kubernetes.io/name": "gpuplane-webhook"}},
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
    }
