"""KubeRay, which runs Ray clusters, jobs and services in the namespaces of teams.

Its operator talks to the head of each cluster, which the network policies of teams let it. With
queues, a RayCluster or RayJob starts as a whole. https://docs.ray.io/en/latest/cluster/kubernetes
"""

from typing import Any

from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.network_rules import OperatorPods, in_namespace, tcp
from charts_py.components.scraping import scraped_by_operator
from charts_py.platform.contribution import Contribution, PlatformNamespace, TeamAdditions
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity
from policies.workloads.job_label import RAY

KUBERAY_OPERATOR = "kuberay-operator"
"""Name of its chart, its Deployment and its Application."""
NAMESPACE = "kuberay-system"
SELECTOR = {"app.kubernetes.io/name": KUBERAY_OPERATOR}
"""Labels of its Service and its pods."""
METRICS_PORT = 8080
_DASHBOARD_PORT = 8265
_SERVE_PORT = 8000
"""It submits jobs to a cluster and asks for their state at the one, and whether replicas serve at
the other (https://github.com/ray-project/kuberay, `DefaultDashboardPort` and `DefaultServingPort`
in ray-operator/controllers/ray/utils/constant.go at v1.7.0)."""
_TARGET = ScrapeTarget(KUBERAY_OPERATOR, NAMESPACE, SELECTOR, port="http", honors_labels=True)


def allow_ray_operator() -> dict[str, Any]:
    """Return the `spec` of a NetworkPolicy: let the operator reach the pods of Ray clusters."""
    operator = {**in_namespace(NAMESPACE), "podSelector": {"matchLabels": SELECTOR}}
    return {
        "podSelector": {"matchExpressions": [{"key": RAY.key, "operator": "Exists"}]},
        "policyTypes": ["Ingress"],
        "ingress": [{"from": [operator], "ports": tcp([_DASHBOARD_PORT, _SERVE_PORT])}],
    }


def _contributes(platform: Platform) -> Contribution:
    added = TeamAdditions(network_policies={"allow-ray-operator": allow_ray_operator()})
    return Contribution(
        teams={each.name: {KUBERAY_OPERATOR: added} for each in platform.namespaces}
    )


KUBERAY = Definition(
    name=KUBERAY_OPERATOR,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.training.ray is not None,
    fields=("training.ray",),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(KUBERAY_OPERATOR),),
    operator=OperatorPods(SELECTOR, METRICS_PORT, has_webhooks=False),
    scraped=scraped_by_operator(_TARGET),
    rules=alert_table(
        KUBERAY_OPERATOR,
        NAMESPACE,
        __package__,
        "kuberay_operator",
        # Google's collection renames the namespaces of RayJobs.
        has=lambda platform, alert: (
            platform.monitoring.has_operator or alert.name != "GpuplaneRayJobFailed"
        ),
    ),
    contributes=_contributes,
)
