"""JobSet, which runs several Jobs as one: they start, restart and end together.

Kubeflow Trainer makes a JobSet of each of its jobs. https://jobset.sigs.k8s.io
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import read_alerts
from charts_py.components.definition import Definition
from charts_py.components.jobset.values import (
    CHART,
    DEPLOYMENT,
    JOBSET_NAME,
    METRICS_PORT,
    NAMESPACE,
    SELECTOR,
    jobset_values,
)
from charts_py.components.operator_network_policy import OperatorPods
from charts_py.components.scraping import authorized_metrics, scraped_by_operator
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.prometheus_rules import Alert, RuleGroup
from charts_py.platform.wave import Wave

_TARGET = authorized_metrics(
    f"{JOBSET_NAME}-metrics-service", NAMESPACE, SELECTOR, honors_labels=True
)


def _alerts() -> tuple[Alert, ...]:
    return read_alerts(__package__, deployment=DEPLOYMENT, namespace=NAMESPACE)


def _rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return the alerts; those of its own metrics where it is scraped."""
    is_scraped = platform.monitoring.has_operator
    known = (each for each in _alerts() if is_scraped or each.name != "GpuplaneJobSetFailed")
    return (RuleGroup(JOBSET_NAME, NAMESPACE, tuple(known), reads_other_namespaces=True),)


JOBSET = Definition(
    name=JOBSET_NAME,
    description=__doc__,
    appears="where `training` has JobSet or Kubeflow Trainer",
    is_wanted=lambda platform: platform.cluster.training.has_job_set,
    fields=(
        "training.jobSet",
        "training.trainer",
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
    values=jobset_values,
    operator=OperatorPods(SELECTOR, METRICS_PORT),
    scraped=scraped_by_operator(_TARGET),
    rules=_rules,
    alerts=_alerts,
)
