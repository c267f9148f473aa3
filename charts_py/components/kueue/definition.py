"""Kueue, which holds jobs back until all their GPUs are free.

It judges every pod and job in the namespaces of teams, and none in others: a pod that it did not
see would hold a GPU that it gives away a second time. While no replica of it answers, nothing
starts in these namespaces. https://kueue.sigs.k8s.io
"""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart, Definition
from charts_py.components.kueue.monitoring import kueue_alerts, rules, scraped
from charts_py.components.kueue.values import REPOSITORY, kueue_values
from charts_py.components.kueue_namespace.definition import KUEUE_NAMESPACE
from charts_py.objects.document import EmittedKind
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave

_RBAC = "rbac.authorization.k8s.io"
_KINDS = (
    EmittedKind("", "ConfigMap", namespaced=True),
    EmittedKind("", "Secret", namespaced=True),
    EmittedKind("", "Service", namespaced=True),
    EmittedKind("", "ServiceAccount", namespaced=True),
    EmittedKind("admissionregistration.k8s.io", "MutatingWebhookConfiguration", namespaced=False),
    EmittedKind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration", namespaced=False),
    EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
    EmittedKind("apiregistration.k8s.io", "APIService", namespaced=False),
    EmittedKind("apps", "Deployment", namespaced=True),
    EmittedKind("policy", "PodDisruptionBudget", namespaced=True),
    EmittedKind(_RBAC, "ClusterRole", namespaced=False),
    EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
    EmittedKind(_RBAC, "Role", namespaced=True),
    EmittedKind(_RBAC, "RoleBinding", namespaced=True),
)

KUEUE = Definition(
    name="kueue",
    description=__doc__,
    appears="where the cluster has queues of Kueue",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KUEUE,
    fields=(
        "queues",
        "multiKueue",
        "training",
        "pools",
        "addons.computeDomains",
        "imagePullSecrets",
        "registries",
        "charts",
    ),
    depends_on=("kueue-namespace",),
    wave=Wave.OPERATORS,
    namespace=KUEUE_NAMESPACE,
    charts=(
        Chart(
            repository="registry.k8s.io/kueue/charts",
            name="kueue",
            kinds=lambda _: _KINDS,
            # Where it may read how the API server authenticates who asks for its visibility API.
            other_namespaces=(KUBE_SYSTEM_NAMESPACE,),
            images=(
                ChartImage(
                    section="controllerManager.manager.image",
                    repository=REPOSITORY,
                    tag="release-0.19",
                ),
            ),
        ),
    ),
    values=kueue_values,
    scraped=scraped,
    rules=rules,
    alerts=kueue_alerts,
)
