"""How the admission webhook's server is reached, and that it reaches nobody."""

from charts_py.components.webhook.server import METADATA, PORT, PORT_NAME, SELECTOR, SERVICE_PORT
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of


def service() -> Document:
    """Return the Service that the API server calls."""
    port = {"name": PORT_NAME, "port": SERVICE_PORT, "targetPort": PORT_NAME, "protocol": "TCP"}
    spec = {"selector": dict(SELECTOR), "ports": [port]}
    return object_of("v1", "Service", METADATA, {"spec": spec})


def network_policy() -> Document:
    """Return a NetworkPolicy that opens one port, to everybody.

    The API server calls from an address that differs by provider and may change, and Prometheus
    reads metrics at the same port. No rule makes a call, so that nothing leads out.
    """
    spec = {
        "podSelector": {"matchLabels": dict(SELECTOR)},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"ports": [{"port": PORT, "protocol": "TCP"}]}],
    }
    return object_of("networking.k8s.io/v1", "NetworkPolicy", METADATA, {"spec": spec})
