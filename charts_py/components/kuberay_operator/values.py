"""KubeRay's chart and its values."""

from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform

KUBERAY_OPERATOR = "kuberay-operator"
"""Name of its chart, its Deployment and its Application."""
NAMESPACE = "kuberay-system"
SELECTOR = {"app.kubernetes.io/name": KUBERAY_OPERATOR}
"""Labels of its Service and its pods."""
METRICS_PORT = 8080
_RBAC = "rbac.authorization.k8s.io"

CHART = Chart(
    repository="https://ray-project.github.io/kuberay-helm",
    name=KUBERAY_OPERATOR,
    kinds=lambda _: (
        EmittedKind("", "Service", namespaced=True),
        EmittedKind("", "ServiceAccount", namespaced=True),
        EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
        EmittedKind("apps", "Deployment", namespaced=True),
        EmittedKind(_RBAC, "ClusterRole", namespaced=False),
        EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
        EmittedKind(_RBAC, "Role", namespaced=True),
        EmittedKind(_RBAC, "RoleBinding", namespaced=True),
    ),
    images=(ChartImage(section="image", repository="quay.io/kuberay/operator", tag="v1.7.0"),),
)


def kuberay_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release.

    Kueue holds RayClusters and RayJobs back itself; a scheduler that starts the pods of a cluster
    together would be named here, in `batchScheduler.name`.
    """
    return {
        # Its default, 512Mi, is what 500 pods of Ray take.
        "resources": {
            "requests": {"cpu": "100m", "memory": "512Mi"},
            "limits": {"memory": "2Gi"},
        },
        **pull_secrets(platform.cluster.pull_secret_names),
    }
