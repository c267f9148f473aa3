"""KubeRay, which runs Ray clusters, jobs and services in the namespaces of teams.

Its operator talks to the head of each cluster, which the network policies of teams let it. With
queues, a RayCluster or RayJob starts as a whole. https://docs.ray.io/en/latest/cluster/kubernetes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import read_alerts
from charts_py.components.definition import Definition
from charts_py.components.kuberay_operator.network import allow_ray_operator
from charts_py.components.kuberay_operator.values import (
    CHART,
    KUBERAY_OPERATOR,
    METRICS_PORT,
    NAMESPACE,
    SELECTOR,
    kuberay_values,
)
from charts_py.components.operator_network_policy import OperatorPods
from charts_py.components.scraping import scraped_by_operator
from charts_py.platform.contribution import Contribution, PlatformNamespace, TeamAdditions
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.prometheus_rules import Alert, RuleGroup
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform

_TARGET = ScrapeTarget(KUBERAY_OPERATOR, NAMESPACE, SELECTOR, port="http", honors_labels=True)


def _contributes(platform: Platform) -> Contribution:
    added = TeamAdditions(network_policies={"allow-ray-operator": allow_ray_operator()})
    return Contribution(
        teams={each.name: {KUBERAY_OPERATOR: added} for each in platform.namespaces}
    )


def _alerts() -> tuple[Alert, ...]:
    return read_alerts(__package__, deployment=KUBERAY_OPERATOR, namespace=NAMESPACE)


def _rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return the alerts; Google's collection renames the namespaces of RayJobs."""
    is_named = platform.monitoring.has_operator
    known = (each for each in _alerts() if is_named or each.name != "GpuplaneRayJobFailed")
    return (RuleGroup(KUBERAY_OPERATOR, NAMESPACE, tuple(known), reads_other_namespaces=True),)


KUBERAY = Definition(
    name=KUBERAY_OPERATOR,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.training.ray is not None,
    fields=(
        "training.ray",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
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
    values=kuberay_values,
    operator=OperatorPods(SELECTOR, METRICS_PORT, has_webhooks=False),
    scraped=scraped_by_operator(_TARGET),
    rules=_rules,
    alerts=_alerts,
    contributes=_contributes,
)
