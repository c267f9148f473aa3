"""KAI Scheduler, the scheduler of GPU pods where the cluster file says so.

It starts the pods of a job together, once its queue has room and nodes have. Pods that ask for no
GPU stay with the scheduler of Kubernetes. Its webhooks judge the pods that name it, its queues and
its groups of pods: while none answers, no GPU pod of a team is created, and while no scheduler of
it runs, GPU pods wait; nothing else does. https://github.com/kai-scheduler/KAI-Scheduler
"""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import read_alerts
from charts_py.components.definition import Chart, Definition
from charts_py.components.kai_scheduler.names import KAI_SCHEDULER as KAI_SCHEDULER_NAME, NAMESPACE
from charts_py.components.kai_scheduler.values import IMAGES, RESERVATIONS, kai_values
from charts_py.objects.document import EmittedKind
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.prometheus_rules import RuleGroup
from charts_py.platform.wave import Wave

_RBAC = "rbac.authorization.k8s.io"
_KINDS = (
    EmittedKind("", "ServiceAccount", namespaced=True),
    EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
    EmittedKind("apps", "Deployment", namespaced=True),
    EmittedKind("batch", "Job", namespaced=True),
    EmittedKind("kai.scheduler", "Config", namespaced=False),
    EmittedKind("kai.scheduler", "SchedulingShard", namespaced=False),
    EmittedKind(_RBAC, "ClusterRole", namespaced=False),
    EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
    EmittedKind(_RBAC, "RoleBinding", namespaced=True),
)


def _rule_group() -> RuleGroup:
    alerts = read_alerts(__package__, namespace=NAMESPACE, scheduler=KAI_SCHEDULER_NAME)
    return RuleGroup(KAI_SCHEDULER_NAME, NAMESPACE, alerts, reads_other_namespaces=True)


KAI_SCHEDULER = Definition(
    name=KAI_SCHEDULER_NAME,
    description=__doc__,
    appears="where the cluster has queues of KAI",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KAI,
    fields=("queues", "imagePullSecrets", "registries", "charts"),
    depends_on=("lasting-namespaces",),
    wave=Wave.OPERATORS,
    namespace=NAMESPACE,
    contribution=Contribution(
        namespaces=(
            PlatformNamespace(NAMESPACE, PodSecurity.BASELINE, goes_last=True),
            PlatformNamespace(RESERVATIONS, PodSecurity.RESTRICTED, goes_last=True),
        ),
    ),
    charts=(
        Chart(
            repository="ghcr.io/kai-scheduler/kai-scheduler",
            name=KAI_SCHEDULER_NAME,
            kinds=lambda _: _KINDS,
            other_namespaces=(RESERVATIONS,),
            images=IMAGES,
        ),
    ),
    values=kai_values,
    rules=lambda _: (_rule_group(),),
    alerts=lambda: _rule_group().alerts,
)
