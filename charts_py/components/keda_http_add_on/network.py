"""Who reaches the interceptor and the scaler, and whom these reach."""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.components.keda import KEDA_NAME
from charts_py.components.network_rules import in_namespace, network_policy_of, tcp
from charts_py.components.team.network_policies import allow_api_server, allow_dns
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.gateway import GATEWAY_NAMESPACE, GATEWAY_SELECTOR, serving_namespaces
from charts_py.platform.interceptor import INTERCEPTOR_PORT, KEDA_HTTP_ADD_ON, SCALER_PORT
from charts_py.platform.platform import Platform

_ADMIN_PORT = 9090
"""Where the interceptor says how many requests it has."""
_INTERCEPTOR, _SCALER = (
    {"matchLabels": {"app.kubernetes.io/component": each}} for each in ("interceptor", "scaler")
)
_KEDA_OPERATOR = {
    **in_namespace(KEDA_NAME),
    "podSelector": {"matchLabels": {"app": "keda-operator"}},
}
_PROXIES = {**in_namespace(GATEWAY_NAMESPACE), "podSelector": {"matchLabels": GATEWAY_SELECTOR}}


def network_policies(platform: Platform) -> Iterator[Document]:
    network = platform.cluster.network
    watches = [
        *allow_dns(platform.provider.dns_pods, network.dns_address)["egress"],
        *allow_api_server(network.api_server)["egress"],
    ]
    served = [in_namespace(each.name) for each in serving_namespaces(platform)]
    spec = {
        "podSelector": _INTERCEPTOR,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [
            {"from": [_PROXIES], "ports": tcp([INTERCEPTOR_PORT])},
            {"from": [{"podSelector": _SCALER}], "ports": tcp([_ADMIN_PORT])},
        ],
        # A Service can have another port than its pods.
        "egress": [*watches, {"to": served, "ports": [{"protocol": "TCP"}]}],
    }
    yield network_policy_of(ObjectMeta("interceptor", KEDA_HTTP_ADD_ON), spec)
    spec = {
        "podSelector": _SCALER,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [_KEDA_OPERATOR], "ports": tcp([SCALER_PORT])}],
        "egress": [*watches, {"to": [{"podSelector": _INTERCEPTOR}], "ports": tcp([_ADMIN_PORT])}],
    }
    yield network_policy_of(ObjectMeta("scaler", KEDA_HTTP_ADD_ON), spec)


def team_policy() -> Mapping[str, Any]:
    """Let the interceptor reach every pod, on all ports, as the Gateway does."""
    interceptor = {**in_namespace(KEDA_HTTP_ADD_ON), "podSelector": _INTERCEPTOR}
    ingress = [{"from": [interceptor]}]
    return {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": ingress}
