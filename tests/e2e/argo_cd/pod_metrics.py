"""What metrics-server says of pods: it needs kubelets, so that it is scheduled here, but measures
nothing, and the API server cannot reach it.

Where `dist/` brings it, nothing is said until its pod runs. Elsewhere this stands for the one that
the provider brings, or that released versions left to others.
"""

from collections.abc import Mapping
from typing import Any

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.releases.crds import definition

_API_VERSION = "metrics.k8s.io/v1beta1"
_KIND = "PodMetrics"
_TIMESTAMP = "2026-01-01T00:00:00Z"

CHART = "metrics-server"
LOCAL_VALUES: Mapping[str, Any] = {"apiService": {"create": False}}
"""What its release has besides here: nothing routes the API to a pod, so that the definition below
serves it."""

_RUNNING = {
    "labelSelector": f"app.kubernetes.io/name={CHART}",
    "fieldSelector": "status.phase=Running",
}


def are_pods_measured(client: ApiClient) -> bool:
    """Tell whether somebody measures pods: the platform's metrics-server runs, or it has none."""
    if not client.find(
        "apps/v1", "Deployment", "kube-system", labelSelector=_RUNNING["labelSelector"]
    ):
        return True
    return bool(client.find("v1", "Pod", "kube-system", **_RUNNING))


def pod_metrics_definition() -> Document:
    """Return the definition of PodMetrics, as metrics-server serves it.

    What scales a Deployment reads it by its path alone, so that a custom kind stands in for the
    aggregated API. https://github.com/kubernetes/metrics
    """
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    made = definition(f"{_API_VERSION} {_KIND}", "pods", anything)
    approved = {"api-approved.kubernetes.io": "unapproved, a placeholder"}
    return {**made, "metadata": {**made["metadata"], "annotations": approved}}


def pod_metrics(pod: Document) -> Document:
    """Return what a pod that hardly does anything uses."""
    usage = {"cpu": "1m", "memory": "16Mi"}
    return {
        "apiVersion": _API_VERSION,
        "kind": _KIND,
        "metadata": {key: pod["metadata"][key] for key in ("name", "namespace", "labels")},
        "timestamp": _TIMESTAMP,
        "window": "10s",
        "containers": [
            {"name": each["name"], "usage": usage} for each in pod["spec"]["containers"]
        ],
    }
