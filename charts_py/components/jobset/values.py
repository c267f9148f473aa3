"""JobSet's chart and its values."""

from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from upstream.lock import locked_chart

JOBSET_NAME = "jobset"
"""Name of the component and of its release, and before the names of its objects."""
NAMESPACE = "jobset-system"
"""Where its documentation installs it."""
_REPOSITORY = "registry.k8s.io/jobset/jobset"
_RBAC = "rbac.authorization.k8s.io"

DEPLOYMENT = f"{JOBSET_NAME}-controller"
SELECTOR = {
    "app.kubernetes.io/name": JOBSET_NAME,
    "app.kubernetes.io/component": "controller",
}
"""Labels of its pods, and of the Service before their metrics."""
METRICS_PORT = 8443
"""Where it asks callers who they are."""

_KINDS = (
    EmittedKind("", "ConfigMap", namespaced=True),
    EmittedKind("", "Secret", namespaced=True),
    EmittedKind("", "Service", namespaced=True),
    EmittedKind("", "ServiceAccount", namespaced=True),
    EmittedKind("admissionregistration.k8s.io", "MutatingWebhookConfiguration", namespaced=False),
    EmittedKind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration", namespaced=False),
    EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
    EmittedKind("apps", "Deployment", namespaced=True),
    EmittedKind("policy", "PodDisruptionBudget", namespaced=True),
    EmittedKind(_RBAC, "ClusterRole", namespaced=False),
    EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
    EmittedKind(_RBAC, "Role", namespaced=True),
    EmittedKind(_RBAC, "RoleBinding", namespaced=True),
)


CHART = Chart(
    repository="registry.k8s.io/jobset/charts",
    name=JOBSET_NAME,
    kinds=lambda _: _KINDS,
    images=(ChartImage(section="image", repository=_REPOSITORY, tag="main"),),
    ignore_differences=(
        # Empty in the chart; JobSet writes its certificate there.
        {"kind": "Secret", "name": "jobset-webhook-server-cert", "jsonPointers": ["/data"]},
    ),
)


def jobset_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release."""
    return {
        # The names of its objects would otherwise begin with that of the Application.
        "fullnameOverride": JOBSET_NAME,
        "image": {
            "repository": _REPOSITORY,
            "tag": f"v{locked_chart('jobset').chart_version}",
            "pullPolicy": "IfNotPresent",
            **pull_secrets(platform.cluster.pull_secret_names, "pullSecrets"),
        },
        # No pod of a JobSet starts while none of its webhooks answers.
        "controller": {"replicas": 2, "podDisruptionBudget": {"enabled": True}},
    }
