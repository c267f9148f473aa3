"""Kubeflow Trainer's chart and its values."""

from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart
from charts_py.components.kubeflow_trainer.names import TRAINER
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from upstream.lock import locked_chart

_RBAC = "rbac.authorization.k8s.io"
_KINDS = (
    EmittedKind("", "ConfigMap", namespaced=True),
    EmittedKind("", "Secret", namespaced=True),
    EmittedKind("", "Service", namespaced=True),
    EmittedKind("", "ServiceAccount", namespaced=True),
    EmittedKind("admissionregistration.k8s.io", "MutatingWebhookConfiguration", namespaced=False),
    EmittedKind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration", namespaced=False),
    EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
    EmittedKind("apps", "Deployment", namespaced=True),
    EmittedKind(_RBAC, "ClusterRole", namespaced=False),
    EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
    EmittedKind(_RBAC, "Role", namespaced=True),
    EmittedKind(_RBAC, "RoleBinding", namespaced=True),
)

CHART = Chart(
    repository="ghcr.io/kubeflow/charts",
    name=TRAINER,
    kinds=lambda _: _KINDS,
    images=(
        ChartImage(
            section="image",
            repository="ghcr.io/kubeflow/trainer/trainer-controller-manager",
            registry_key="registry",
            tag="v2.3.0",
        ),
    ),
)


def trainer_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release."""
    version = locked_chart(TRAINER).chart_version
    return {
        # The names of its objects would otherwise begin with that of the Application.
        "fullnameOverride": TRAINER,
        "jobset": {"install": False},
        "image": {
            "tag": f"v{version}",
            **pull_secrets(platform.cluster.pull_secret_names, "pullSecrets"),
        },
        # No TrainJob is created while none of its webhooks answers.
        "manager": {"replicas": 2},
    }
