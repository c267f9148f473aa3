"""Kubeflow Trainer, version 2, which runs a TrainJob by the runtime that it names.

Its own runtimes are left out: they ask for no GPU. https://www.kubeflow.org/docs/components/trainer
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import read_alerts
from charts_py.components.definition import Definition
from charts_py.components.kubeflow_trainer.names import (
    MANAGER,
    METRICS_PORT,
    NAMESPACE,
    SELECTOR,
    TRAINER,
)
from charts_py.components.kubeflow_trainer.values import CHART, trainer_values
from charts_py.components.operator_network_policy import OperatorPods
from charts_py.platform.contribution import Access, Contribution, PlatformNamespace, Use
from charts_py.platform.prometheus_rules import RuleGroup
from charts_py.platform.wave import Wave


def _rule_group() -> RuleGroup:
    alerts = read_alerts(__package__, deployment=MANAGER, namespace=NAMESPACE)
    return RuleGroup(TRAINER, NAMESPACE, alerts, reads_other_namespaces=True)


KUBEFLOW_TRAINER = Definition(
    name=TRAINER,
    description=__doc__,
    appears="where `training` has it",
    is_wanted=lambda platform: platform.cluster.training.trainer is not None,
    fields=(
        "training.trainer",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
        "webhook.apiServer",
        "imagePullSecrets",
        "registries",
        "charts",
    ),
    # It watches JobSets from its start on.
    depends_on=("lasting-namespaces", "jobset"),
    wave=Wave.NODES,
    namespace=NAMESPACE,
    contribution=Contribution(
        namespaces=(PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),),
        access=(Access("trainer.kubeflow.org", ("clustertrainingruntimes",), Use.LOOK_UP),),
    ),
    charts=(CHART,),
    values=trainer_values,
    # Pods of jobs do not report to it: its feature `TrainJobStatus` is off.
    operator=OperatorPods(SELECTOR, METRICS_PORT),
    rules=lambda _: (_rule_group(),),
    alerts=lambda: _rule_group().alerts,
)
