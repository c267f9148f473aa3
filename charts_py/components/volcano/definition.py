"""Volcano, the scheduler of GPU pods where the cluster file says so.

It starts the pods of a job together, once its queue has room and nodes have. Pods that ask for no
GPU stay with the scheduler of Kubernetes. Its webhooks judge kinds of its own alone: while none
answers, or no scheduler of it runs, GPU pods wait, and nothing else does. https://volcano.sh
"""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import read_alerts
from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart, Definition
from charts_py.components.volcano.check import check_volcano
from charts_py.components.volcano.names import NAMESPACE, VOLCANO as VOLCANO_NAME
from charts_py.components.volcano.values import volcano_values
from charts_py.objects.document import EmittedKind
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.prometheus_rules import RuleGroup
from charts_py.platform.wave import Wave

_RBAC = "rbac.authorization.k8s.io"
_ADMISSION = "admissionregistration.k8s.io"
_KINDS = (
    EmittedKind("", "ConfigMap", namespaced=True),
    EmittedKind("", "Service", namespaced=True),
    EmittedKind("", "ServiceAccount", namespaced=True),
    EmittedKind(_ADMISSION, "MutatingWebhookConfiguration", namespaced=False),
    EmittedKind(_ADMISSION, "ValidatingWebhookConfiguration", namespaced=False),
    EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
    EmittedKind("apps", "Deployment", namespaced=True),
    EmittedKind("batch", "Job", namespaced=True),
    EmittedKind(_RBAC, "ClusterRole", namespaced=False),
    EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
    EmittedKind(_RBAC, "Role", namespaced=True),
    EmittedKind(_RBAC, "RoleBinding", namespaced=True),
)


def _image(part: str, name: str) -> ChartImage:
    return ChartImage(
        section="basic",
        repository=f"docker.io/volcanosh/{name}",
        registry_key="image_registry",
        repository_key=f"{part}_image_name",
        tag="v1.15.1",
        tag_key="image_tag_version",
    )


def _rule_group() -> RuleGroup:
    alerts = read_alerts(__package__, namespace=NAMESPACE, volcano=VOLCANO_NAME)
    return RuleGroup(VOLCANO_NAME, NAMESPACE, alerts, reads_other_namespaces=True)


VOLCANO = Definition(
    name=VOLCANO_NAME,
    description=__doc__,
    appears="where the cluster has queues of Volcano",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.VOLCANO,
    fields=("queues", "imagePullSecrets", "registries", "charts"),
    depends_on=("lasting-namespaces",),
    wave=Wave.OPERATORS,
    namespace=NAMESPACE,
    contribution=Contribution(
        namespaces=(PlatformNamespace(NAMESPACE, PodSecurity.BASELINE, goes_last=True),),
    ),
    charts=(
        Chart(
            repository="https://volcano-sh.github.io/helm-charts",
            name=VOLCANO_NAME,
            kinds=lambda _: _KINDS,
            images=(
                _image("admission", "vc-webhook-manager"),
                _image("controller", "vc-controller-manager"),
                _image("scheduler", "vc-scheduler"),
            ),
        ),
    ),
    values=volcano_values,
    checks=(check_volcano,),
    rules=lambda _: (_rule_group(),),
    alerts=lambda: _rule_group().alerts,
)
