"""How the admission webhook's server is reached, and that it reaches nobody."""

from constructs import Construct

from charts_py.components.webhook.server import (
    NAME,
    NAMESPACE,
    PORT,
    PORT_NAME,
    SELECTOR,
    SERVICE_PORT,
)
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta


class WebhookNetwork(Construct):
    """A Service, and a NetworkPolicy that opens one port.

    To everybody: the API server calls from an address that differs by provider and may change, and
    Prometheus reads metrics at the same port. No rule makes a call, so that nothing leads out.
    """

    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(NAME, NAMESPACE, labels=SELECTOR)
        service = {
            "selector": dict(SELECTOR),
            "ports": [
                {
                    "name": PORT_NAME,
                    "port": SERVICE_PORT,
                    "targetPort": PORT_NAME,
                    "protocol": "TCP",
                }
            ],
        }
        add_object(self, "v1", "Service", metadata, {"spec": service})
        policy = {
            "podSelector": {"matchLabels": dict(SELECTOR)},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{"ports": [{"port": PORT, "protocol": "TCP"}]}],
        }
        add_object(self, "networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": policy})
