"""agentgateway, which makes proxies of a Gateway and tells them the routes of teams.

It makes the GatewayClass `agentgateway`, and of a Gateway a Deployment and a Service. For that it
may write Deployments, Services and Secrets in the whole cluster, so that nobody in a team reaches
its namespace; it heeds routes in namespaces of inference, and of hubs, alone. The definitions of
Gateway API are in no chart: Argo CD gets them from their repository, at a pinned commit.
https://agentgateway.dev
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.components.chart import known_chart
from charts_py.components.component import Component, PinnedManifests
from charts_py.components.definition import Definition
from charts_py.components.network_rules import from_namespaces, network_policy_of, tcp
from charts_py.components.pinned_definitions import mirrored_definitions
from charts_py.objects.document import Document, EmittedKind
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.gateway import GATEWAY_NAMESPACE
from charts_py.platform.hubs import hubs
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

AGENTGATEWAY = "agentgateway"
"""Name of its chart, of its Application and of the class of its Gateways."""
HTTPS_PORT = 443
_METRICS_PORT, _PROXY_METRICS_PORT = 9092, 15020
_KINDS = (
    "backendtlspolicies",
    "gatewayclasses",
    "gateways",
    "grpcroutes",
    "httproutes",
    "listenersets",
    "referencegrants",
    "tcproutes",
    "tlsroutes",
)
"""Those that it watches."""
GATEWAY_API = PinnedManifests(
    folder="crds/gateway-api-1.6.1",
    files=tuple(f"gateway.networking.k8s.io_{kind}.yaml" for kind in _KINDS),
    kinds=(EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),),
)
_TARGET = ScrapeTarget(
    AGENTGATEWAY, GATEWAY_NAMESPACE, {AGENTGATEWAY: AGENTGATEWAY}, port="metrics"
)


def check_definitions(draft: Draft) -> Iterator[Problem]:
    if draft.cluster.serving.gateway is not None:
        yield from mirrored_definitions(draft, ("serving", "gateway"))


def network_policy(platform: Platform) -> Document:
    """Return a NetworkPolicy for proxies, which anyone calls, and what tells them the routes."""
    ingress = [
        {"from": [{"podSelector": {}}]},
        {"ports": tcp([HTTPS_PORT])},
        from_namespaces(platform.monitoring.namespaces, _METRICS_PORT, _PROXY_METRICS_PORT),
    ]
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": ingress}
    metadata = ObjectMeta(AGENTGATEWAY, GATEWAY_NAMESPACE)
    return network_policy_of(metadata, spec)


def _with_hubs(platform: Platform) -> Mapping[str, Any] | None:
    """Return the selector of the namespaces with a hub; None where there is none."""
    names = [namespace.name for namespace, _ in hubs(platform)]
    chosen = {"key": NAMESPACE_NAME_LABEL, "operator": "In", "values": names}
    return {"matchExpressions": [chosen]} if names else None


def _parts(platform: Platform) -> Iterator[Component]:
    policy, definitions = network_policy(platform), known_chart(f"{AGENTGATEWAY}-crds")
    part = partial(Component, wave=Wave.OPERATORS, namespace=GATEWAY_NAMESPACE)
    yield part(name=f"{AGENTGATEWAY}-network", objects=lambda: (policy,))
    yield part(name="gateway-api", manifests=GATEWAY_API)
    yield part(name=definitions.name, helm=definitions.release(platform, {}))
    chart = known_chart(AGENTGATEWAY)
    has_pools = platform.cluster.serving.inference_pools is not None
    extension = {"enabled": True} if has_pools else None
    values = chart.stated_values(
        platform,
        namespace=GATEWAY_NAMESPACE,
        inference_extension=extension,
        of_hubs=_with_hubs(platform),
    )
    # It waits for the definitions, and ends where they are missing.
    yield part(name=AGENTGATEWAY, wave=Wave.NODES, helm=chart.release(platform, values))


AGENTGATEWAY_DEFINITION = Definition(
    name=AGENTGATEWAY,
    description=__doc__,
    appears="where the cluster asks for a Gateway",
    is_wanted=lambda platform: platform.cluster.serving.gateway is not None,
    fields=(
        "serving.gateway",
        "serving.inferencePools",
        "addons.monitoring.namespace",
        "gitops.charts",
        "teams",
    ),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(GATEWAY_NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(f"{AGENTGATEWAY}-crds"), known_chart(AGENTGATEWAY)),
    parts=_parts,
    checks=(check_definitions,),
    scraped=lambda _: (_TARGET,),
)
