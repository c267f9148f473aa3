"""JobSet, which runs several Jobs as one: they start, restart and end together.

Kubeflow Trainer makes a JobSet of each of its jobs. https://jobset.sigs.k8s.io
"""

from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.network_rules import OperatorPods
from charts_py.components.scraping import authorized_metrics, scraped_by_operator
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

JOBSET_NAME = "jobset"
"""Name of the component and of its release, and before the names of its objects."""
NAMESPACE = "jobset-system"
"""Where its documentation installs it."""
SELECTOR = {"app.kubernetes.io/name": JOBSET_NAME, "app.kubernetes.io/component": "controller"}
"""Labels of its pods, and of the Service before their metrics."""
METRICS_PORT = 8443
"""Where it asks callers who they are."""
_TARGET = authorized_metrics(
    f"{JOBSET_NAME}-metrics-service", NAMESPACE, SELECTOR, honors_labels=True
)


JOBSET = Definition(
    name=JOBSET_NAME,
    description=__doc__,
    appears="where `training` has JobSet or Kubeflow Trainer",
    is_wanted=lambda platform: platform.cluster.training.has_job_set,
    fields=("training.jobSet", "training.trainer"),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(JOBSET_NAME),),
    operator=OperatorPods(SELECTOR, METRICS_PORT),
    scraped=scraped_by_operator(_TARGET),
    rules=alert_table(
        JOBSET_NAME,
        NAMESPACE,
        __package__,
        "jobset",
        # Of its own metrics.
        has=lambda platform, alert: (
            platform.monitoring.has_operator or alert.name != "GpuplaneJobSetFailed"
        ),
    ),
)
