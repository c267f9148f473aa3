"""Kueue, which holds jobs back until all their GPUs are free.

It judges every pod and job in the namespaces of teams, and none in others: a pod that it did not
see would hold a GPU that it gives away a second time. While no replica of it answers, nothing
starts in these namespaces. https://kueue.sigs.k8s.io
"""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.kueue.values import kueue_values
from charts_py.components.namespaces import lasting_namespace
from charts_py.components.scraping import authorized_metrics, scraped_by_operator
from charts_py.platform.contribution import PlatformNamespace
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
_TARGET = authorized_metrics(
    METRICS_SERVICE,
    KUEUE_NAMESPACE,
    {"app.kubernetes.io/name": "kueue", "app.kubernetes.io/component": "metrics-service"},
)


KUEUE = Definition(
    name="kueue",
    description=__doc__,
    appears="where the cluster has queues of Kueue",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KUEUE,
    fields=("queues", "multiKueue", "training", "pools", "addons.computeDomains"),
    depends_on=("kueue-namespace",),
    wave=Wave.OPERATORS,
    namespace=KUEUE_NAMESPACE,
    charts=(known_chart("kueue"),),
    values=kueue_values,
    scraped=scraped_by_operator(_TARGET),
    rules=alert_table(
        "kueue",
        KUEUE_NAMESPACE,
        __package__,
        namespace=KUEUE_NAMESPACE,
        service=METRICS_SERVICE,
        has=lambda platform, _: platform.monitoring.has_operator,
        reads_other_namespaces=False,
    ),
)
