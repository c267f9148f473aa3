"""LeaderWorkerSet's chart and its values."""

from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from upstream.lock import locked_chart

LEADER_WORKER_SET = "leader-worker-set"
"""Name of the component and of its release."""
NAMESPACE = "lws-system"
"""Where its documentation installs it."""
_CHART = "lws"
_REPOSITORY = "registry.k8s.io/lws/lws"
_RBAC = "rbac.authorization.k8s.io"

DEPLOYMENT = f"{LEADER_WORKER_SET}-{_CHART}-controller-manager"
"""`lws.fullname` of its chart, templates/_helpers.tpl."""
SELECTOR = {"app.kubernetes.io/name": _CHART, "control-plane": "controller-manager"}
"""Labels of its pods."""
METRICS_PORT = 8443
"""Where it asks callers who they are."""

CHART = Chart(
    repository="registry.k8s.io/lws/charts",
    name=_CHART,
    kinds=lambda _: (
        EmittedKind("", "ConfigMap", namespaced=True),
        EmittedKind("", "Secret", namespaced=True),
        EmittedKind("", "Service", namespaced=True),
        EmittedKind("", "ServiceAccount", namespaced=True),
        EmittedKind(
            "admissionregistration.k8s.io", "MutatingWebhookConfiguration", namespaced=False
        ),
        EmittedKind(
            "admissionregistration.k8s.io", "ValidatingWebhookConfiguration", namespaced=False
        ),
        EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
        EmittedKind("apps", "Deployment", namespaced=True),
        EmittedKind(_RBAC, "ClusterRole", namespaced=False),
        EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
        EmittedKind(_RBAC, "Role", namespaced=True),
        EmittedKind(_RBAC, "RoleBinding", namespaced=True),
    ),
    images=(ChartImage(section="image.manager", repository=_REPOSITORY, tag="main"),),
)


def leader_worker_set_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release."""
    return {
        # No pod of a LeaderWorkerSet starts while none answers.
        "replicaCount": 2,
        "image": {
            "manager": {
                "repository": _REPOSITORY,
                "tag": f"v{locked_chart(_CHART).chart_version}",
                "pullPolicy": "IfNotPresent",
            }
        },
        # Teams may write DisaggregatedSets, and their controller runs anyway: have it judge them.
        "enableDisaggregatedSet": True,
        "podSecurityContext": {
            "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        **pull_secrets(platform.cluster.pull_secret_names),
    }
