"""JobSet, which runs several Jobs as one: they start, restart and end together.

Kubeflow Trainer makes a JobSet of each of its jobs. https://jobset.sigs.k8s.io
"""

from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart, Definition
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.additions import OwnNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from charts_py.spec.team import PodSecurity
from upstream.lock import locked_chart

_NAMESPACE = "jobset-system"
"""Where its documentation installs it."""
_REPOSITORY = "registry.k8s.io/jobset/jobset"
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
    EmittedKind("policy", "PodDisruptionBudget", namespaced=True),
    EmittedKind(_RBAC, "ClusterRole", namespaced=False),
    EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
    EmittedKind(_RBAC, "Role", namespaced=True),
    EmittedKind(_RBAC, "RoleBinding", namespaced=True),
)


def _values(platform: Platform) -> dict[str, Any]:
    secrets = pull_secrets(platform.cluster.pull_secret_names).get("imagePullSecrets", [])
    return {
        # The names of its objects would otherwise begin with that of the Application.
        "fullnameOverride": "jobset",
        "image": {
            "repository": _REPOSITORY,
            "tag": f"v{locked_chart('jobset').chart_version}",
            "pullPolicy": "IfNotPresent",
            **({"pullSecrets": secrets} if secrets else {}),
        },
        # No pod of a JobSet starts while none of its webhooks answers.
        "controller": {"replicas": 2, "podDisruptionBudget": {"enabled": True}},
    }


JOBSET = Definition(
    name="jobset",
    description=__doc__,
    appears="where `training` has JobSet or Kubeflow Trainer",
    is_wanted=lambda platform: platform.cluster.training.has_job_set,
    fields=("training.jobSet", "training.trainer", "imagePullSecrets", "registries", "charts"),
    depends_on=("namespaces",),
    wave=Wave.OPERATORS,
    namespace=_NAMESPACE,
    own_namespaces=(OwnNamespace(_NAMESPACE, PodSecurity.RESTRICTED),),
    charts=(
        Chart(
            repository="registry.k8s.io/jobset/charts",
            name="jobset",
            kinds=lambda _: _KINDS,
            images=(ChartImage(section="image", repository=_REPOSITORY, tag="main"),),
            ignore_differences=(
                # Empty in the chart; JobSet writes its certificate there.
                {"kind": "Secret", "name": "jobset-webhook-server-cert", "jsonPointers": ["/data"]},
            ),
        ),
    ),
    values=_values,
)
