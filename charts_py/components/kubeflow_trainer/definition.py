"""Kubeflow Trainer, version 2, which runs a TrainJob by the runtime that it names.

Its own runtimes are left out: they ask for no GPU. https://www.kubeflow.org/docs/components/trainer
"""

from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart, Definition
from charts_py.components.kubeflow_trainer.names import NAMESPACE, TRAINER
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.additions import Access, OwnNamespace, Use
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from charts_py.spec.team import PodSecurity
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


def _values(platform: Platform) -> dict[str, Any]:
    secrets = pull_secrets(platform.cluster.pull_secret_names).get("imagePullSecrets", [])
    version = locked_chart(TRAINER).chart_version
    return {
        # The names of its objects would otherwise begin with that of the Application.
        "fullnameOverride": TRAINER,
        "jobset": {"install": False},
        "image": {"tag": f"v{version}", **({"pullSecrets": secrets} if secrets else {})},
        # No TrainJob is created while none of its webhooks answers.
        "manager": {"replicas": 2},
    }


KUBEFLOW_TRAINER = Definition(
    name=TRAINER,
    description=__doc__,
    appears="where `training` has it",
    is_wanted=lambda platform: platform.cluster.training.trainer is not None,
    fields=("training.trainer", "imagePullSecrets", "registries", "charts"),
    # It watches JobSets from its start on.
    depends_on=("namespaces", "jobset"),
    wave=Wave.NODES,
    namespace=NAMESPACE,
    own_namespaces=(OwnNamespace(NAMESPACE, PodSecurity.RESTRICTED),),
    charts=(
        Chart(
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
        ),
    ),
    values=_values,
    access=(Access("trainer.kubeflow.org", ("clustertrainingruntimes",), Use.LOOK_UP),),
)
