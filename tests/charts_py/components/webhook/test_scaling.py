"""How many replicas the admission webhook's server has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.webhook.scaling import WebhookScaling
from charts_py.spec.webhook import Replicas

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document


def test_load_adds_replicas_and_a_drain_takes_one_at_a_time(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    replicas = Replicas(min=3, max=9)
    autoscaler, budget = documents_of(lambda scope: WebhookScaling(scope, "scaling", replicas))
    assert autoscaler["spec"] == {
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
    assert budget["spec"] == {
        "maxUnavailable": 1,
        "selector": {"matchLabels": {"app.kubernetes.io/name": "gpuplane-webhook"}},
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
    }
