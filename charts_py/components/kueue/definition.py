"""Kueue, which holds jobs back until all their GPUs are free.

It judges every pod and job in the namespaces of teams, and none in others: a pod that it did not
see would hold a GPU that it gives away a second time. While no replica of it answers, nothing
starts in these namespaces. https://kueue.sigs.k8s.io
"""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import read_alerts
from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart, Definition
from charts_py.components.kueue.values import REPOSITORY, kueue_values
from charts_py.components.namespaces import lasting_namespace
from charts_py.components.scraping import authorized_metrics, scraped_by_operator
from charts_py.objects.document import EmittedKind
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.prometheus_rules import Alert, RuleGroup
from charts_py.platform.wave import Wave

KUEUE_NAMESPACE = "kueue-system"
"""Where its documentation installs it, and what its visibility API expects."""
NAMESPACE_OF_KUEUE = lasting_namespace(
    name="kueue-namespace",
    description="""
The namespace of Kueue, which goes after Kueue, and that after the last of its queues.

Kueue has to release the queues.
""",
    own=PlatformNamespace(KUEUE_NAMESPACE, PodSecurity.RESTRICTED),
    appears="where the cluster has queues of Kueue",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KUEUE,
    fields=("queues",),
)
METRICS_SERVICE = "kueue-controller-manager-metrics-service"
"""The Service before its metrics, by which Prometheus names the job."""
scraped = scraped_by_operator(
    authorized_metrics(
        METRICS_SERVICE,
        KUEUE_NAMESPACE,
        {"app.kubernetes.io/name": "kueue", "app.kubernetes.io/component": "metrics-service"},
    )
)


def kueue_alerts() -> tuple[Alert, ...]:
    return read_alerts(__package__, namespace=KUEUE_NAMESPACE, service=METRICS_SERVICE)


def rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return what is alerted on, where it is scraped."""
    group = RuleGroup("kueue", KUEUE_NAMESPACE, kueue_alerts())
    return (group,) if platform.monitoring.has_operator else ()


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
