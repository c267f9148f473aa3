"""Argo Rollouts, which replaces the replicas of a server step by step, as its metrics allow.

Teams write Rollouts, and AnalysisTemplates of what it asks Prometheus between steps. Since it shows
them the answers, policies of the API server let these name the platform's Prometheus alone. It
reaches DNS, the API server, and the namespace of Prometheus, or the port of its address. It has no
dashboard, and routes no traffic: its plugin for Gateway API would be downloaded at its start.
https://argoproj.github.io/argo-rollouts
"""

from collections.abc import Iterator
from functools import partial

from charts_py.cluster_file.fault import Problem
from charts_py.components.admission_policy import policy_objects
from charts_py.components.api_server_addresses import check_known_addresses
from charts_py.components.argo_rollouts.analyses import ROLLOUTS, analysis_templates
from charts_py.components.argo_rollouts.rights import ARGO_ROLLOUTS, cluster_roles
from charts_py.components.chart import known_chart
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.network_rules import from_namespaces, network_policy_of
from charts_py.components.scraping import scraped_by_operator
from charts_py.components.team.network_policies import prometheus_client_egress
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import Access, Contribution, PlatformNamespace, Use
from charts_py.platform.draft import Draft
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

_METRICS_PORT = 8090
_TARGET = ScrapeTarget(
    ARGO_ROLLOUTS,
    ARGO_ROLLOUTS,
    {"app.kubernetes.io/name": ARGO_ROLLOUTS},
    port="metrics",
    honors_labels=True,
)


def check_rollouts(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where its controller would reach whatever a team names."""
    if draft.cluster.serving.argo_rollouts is not None:
        yield from check_known_addresses(draft, ("serving", "argoRollouts"))


def network_policy(platform: Platform) -> Document:
    spec = {
        "podSelector": {},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [from_namespaces(platform.monitoring.namespaces, _METRICS_PORT)],
        "egress": [*prometheus_client_egress(platform)],
    }
    metadata = ObjectMeta(ARGO_ROLLOUTS, ARGO_ROLLOUTS)
    return network_policy_of(metadata, spec)


def _parts(platform: Platform) -> Iterator[Component]:
    templates = analysis_templates(platform.cluster.addons.monitoring.prometheus_url)
    policies = policy_objects((templates, ROLLOUTS))
    objects = (network_policy(platform), *cluster_roles(), *policies)
    chart = known_chart(ARGO_ROLLOUTS)
    part = partial(Component, wave=Wave.OPERATORS, namespace=ARGO_ROLLOUTS)
    yield part(name=f"{ARGO_ROLLOUTS}-rights", objects=lambda: objects)
    yield part(name=ARGO_ROLLOUTS, helm=chart.release(platform, chart.stated_values(platform)))


ARGO_ROLLOUTS_DEFINITION = Definition(
    name=ARGO_ROLLOUTS,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.serving.argo_rollouts is not None,
    fields=(
        "serving.argoRollouts",
        "addons.monitoring.namespace",
        "addons.monitoring.prometheusUrl",
        "network.apiServer",
        "network.dnsAddress",
    ),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(ARGO_ROLLOUTS, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(ARGO_ROLLOUTS),),
    parts=_parts,
    checks=(check_rollouts,),
    scraped=scraped_by_operator(_TARGET),
    contribution=Contribution(access=(Access("argoproj.io", ("analysistemplates",), Use.RUN),)),
)
