"""KEDA, which scales the services of teams by their queues, as Prometheus knows them.

Teams write ScaledObjects, which by a policy of the API server name the platform's Prometheus, or
triggers that ask nobody. Its operator asks Prometheus, and the API server asks its adapter, for
which it owns the API of external metrics. Where the cluster file lists the addresses of the API
server, it reaches these, DNS, and the namespace of Prometheus, or the port of its address. It reads
no secrets of teams, so that their TriggerAuthentications can name none. https://keda.sh
"""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.components.admission_policy import policy_objects
from charts_py.components.chart import known_chart
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.network_rules import (
    PRIVATE_PORT,
    from_api_server,
    from_namespaces,
    in_namespace,
    network_policy_of,
    tcp,
)
from charts_py.components.scaled_objects import scaled_objects
from charts_py.components.scraping import scraped_by_operator
from charts_py.components.team.network_policies import prometheus_client_egress
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import Access, Contribution, PlatformNamespace, Use
from charts_py.platform.interceptor import KEDA_HTTP_ADD_ON, SCALER_ADDRESS, SCALER_PORT
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

KEDA_NAME = "keda"
"""Name of its chart, its namespace and its Application."""
_OPERATOR = "keda-operator"
_METRICS_PORT = 8080
_TARGET = ScrapeTarget(
    _OPERATOR, KEDA_NAME, {"app.kubernetes.io/name": _OPERATOR}, port="metrics", honors_labels=True
)


def network_policy(platform: Platform) -> dict[str, Any]:
    """Return the `spec` of a NetworkPolicy for all of its pods, which reach each other."""
    addresses = platform.cluster.webhook.api_server.addresses
    egress = [*_egress(platform)]
    return {
        "podSelector": {},
        "policyTypes": ["Ingress", *(["Egress"] if egress else [])],
        "ingress": [
            {"from": [{"podSelector": {}}]},
            from_api_server(addresses, PRIVATE_PORT),
            from_namespaces(platform.monitoring.namespaces, _METRICS_PORT),
        ],
        **({"egress": egress} if egress else {}),
    }


def _egress(platform: Platform) -> Iterator[Mapping[str, Any]]:
    """Yield what it reaches; nothing where the addresses of the API server are not known."""
    if platform.cluster.network.api_server:
        yield {"to": [{"podSelector": {}}]}
        yield from prometheus_client_egress(platform)
    if platform.cluster.serving.keda_http_add_on is not None:
        yield {"to": [in_namespace(KEDA_HTTP_ADD_ON)], "ports": tcp([SCALER_PORT])}


def _parts(platform: Platform) -> Iterator[Component]:
    metadata = ObjectMeta(KEDA_NAME, KEDA_NAME)
    policy = network_policy_of(metadata, network_policy(platform))
    has_scaler = platform.cluster.serving.keda_http_add_on is not None
    prometheus_url = platform.cluster.addons.monitoring.prometheus_url
    scaled = scaled_objects(prometheus_url, SCALER_ADDRESS if has_scaler else None)
    objects = (policy, *policy_objects((scaled,)))
    yield Component(
        name=f"{KEDA_NAME}-network",
        wave=Wave.OPERATORS,
        namespace=KEDA_NAME,
        objects=lambda: objects,
    )
    chart = known_chart(KEDA_NAME)
    yield Component(
        name=KEDA_NAME,
        wave=Wave.OPERATORS,
        namespace=KEDA_NAME,
        helm=chart.release(platform, chart.stated_values(platform, api_port=PRIVATE_PORT)),
    )


KEDA = Definition(
    name=KEDA_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.serving.keda is not None,
    fields=(
        "serving.keda",
        "serving.kedaHttpAddOn",
        "addons.monitoring.namespace",
        "addons.monitoring.prometheusUrl",
        "network.apiServer",
        "network.dnsAddress",
        "webhook.apiServer",
    ),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(KEDA_NAME, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(KEDA_NAME),),
    parts=_parts,
    scraped=scraped_by_operator(_TARGET),
    contribution=Contribution(access=(Access("keda.sh", ("scaledobjects",), Use.RUN),)),
)
