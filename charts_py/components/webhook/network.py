"""How the admission webhook's server is reached, and that it reaches nobody."""

from collections.abc import Iterable
from typing import Any

from charts_py.cluster_file.webhook import WebhookApiServer
from charts_py.components.network_rules import from_api_server, from_namespaces
from charts_py.components.webhook.server import (
    METADATA,
    OPERATIONS_PORT,
    OPERATIONS_PORT_NAME,
    PORT,
    PORT_NAME,
    SELECTOR,
    SERVICE_PORT,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of


def service(api_server: WebhookApiServer) -> Document:
    """Return the Service that the API server calls, and by which Prometheus finds the pods."""
    ports = [_service_port(PORT_NAME, SERVICE_PORT)]
    if api_server.is_known:
        ports.append(_service_port(OPERATIONS_PORT_NAME, OPERATIONS_PORT))
    spec = {"selector": dict(SELECTOR), "ports": ports}
    return object_of("v1", "Service", METADATA, {"spec": spec})


def network_policy(api_server: WebhookApiServer, collectors: Iterable[str]) -> Document:
    """Return a NetworkPolicy that opens one port, to the API server where its addresses are known.

    Elsewhere to everybody: it calls from an address that differs by provider and may change. Where
    anything is known of it, Prometheus, in the namespaces of collectors, reads metrics at a port of
    their own. The kubelet needs no rule: a pod is always reached from its own node
    (https://kubernetes.io/docs/concepts/services-networking/network-policies/). No rule makes a
    call, so that nothing leads out.
    """
    spec = {
        "podSelector": {"matchLabels": dict(SELECTOR)},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": _ingress(api_server, collectors),
    }
    return object_of("networking.k8s.io/v1", "NetworkPolicy", METADATA, {"spec": spec})


def _ingress(api_server: WebhookApiServer, collectors: Iterable[str]) -> list[dict[str, Any]]:
    reviews = from_api_server(api_server.addresses, PORT)
    if not api_server.is_known:
        return [reviews]
    return [reviews, from_namespaces(collectors, OPERATIONS_PORT)]


def _service_port(name: str, number: int) -> dict[str, Any]:
    return {"name": name, "port": number, "targetPort": name, "protocol": "TCP"}
