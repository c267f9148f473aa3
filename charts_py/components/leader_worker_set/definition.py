"""LeaderWorkerSet, which runs a model on several nodes as one replica: a leader and its workers.

A replica whose pod fails is made anew as a whole. Teams create LeaderWorkerSets in their
namespaces; with queues, each replica starts as a whole. https://lws.sigs.k8s.io
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import read_alerts
from charts_py.components.definition import Definition
from charts_py.components.leader_worker_set.values import (
    CHART,
    DEPLOYMENT,
    LEADER_WORKER_SET,
    METRICS_PORT,
    NAMESPACE,
    SELECTOR,
    leader_worker_set_values,
)
from charts_py.components.operator_network_policy import OperatorPods
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.prometheus_rules import RuleGroup
from charts_py.platform.wave import Wave


def _rule_group() -> RuleGroup:
    alerts = read_alerts(__package__, deployment=DEPLOYMENT, namespace=NAMESPACE)
    return RuleGroup(LEADER_WORKER_SET, NAMESPACE, alerts, reads_other_namespaces=True)


LEADER_WORKER_SET_DEFINITION = Definition(
    name=LEADER_WORKER_SET,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.training.leader_worker_set is not None,
    fields=(
        "training.leaderWorkerSet",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
        "webhook.apiServer",
        "imagePullSecrets",
        "registries",
        "charts",
    ),
    depends_on=("lasting-namespaces",),
    wave=Wave.OPERATORS,
    namespace=NAMESPACE,
    contribution=Contribution(
        namespaces=(PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),),
    ),
    charts=(CHART,),
    values=leader_worker_set_values,
    operator=OperatorPods(SELECTOR, METRICS_PORT),
    rules=lambda _: (_rule_group(),),
    alerts=lambda: _rule_group().alerts,
)
