"""JobSet, which runs several Jobs as one: they start, restart and end together.

Kubeflow Trainer makes a JobSet of each of its jobs. https://jobset.sigs.k8s.io
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.authorized_metrics import may_read_metrics
from charts_py.components.definition import Definition
from charts_py.components.job_alerts import KUBE_STATE_METRICS
from charts_py.components.jobset.alerts import ALERTS, rules, scraped
from charts_py.components.jobset.values import (
    CHART,
    JOBSET_NAME,
    METRICS_PORT,
    NAMESPACE,
    SELECTOR,
    jobset_values,
)
from charts_py.components.operator_network_policy import OperatorPods
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.wave import Wave

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
    scraped=scraped,
    rules=rules,
    alerts=lambda: ALERTS,
    prerequisites=(
        KUBE_STATE_METRICS,
        may_read_metrics(
            "JobSet",
            "jobset-metrics-reader",
            alerts="the alert that a JobSet has failed",
            otherwise="it does not fire",
        ),
    ),
)
