"""Who may reach an operator: the API server, and those who collect its metrics."""

from collections.abc import Mapping
from dataclasses import dataclass

from charts_py.components.network_rules import from_api_server, from_namespaces
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform

WEBHOOK_PORT = 9443
"""Where controller-runtime serves webhooks (https://github.com/kubernetes-sigs/controller-runtime,
`DefaultPort` in pkg/webhook/server.go at v0.24.1)."""


@dataclass(frozen=True, slots=True)
class OperatorPods:
    """The pods of an operator, and who has to reach them."""

    labels: Mapping[str, str]
    metrics_port: int
    has_webhooks: bool = True
    """Whether the API server calls them."""


def operator_network_policy(
    platform: Platform, metadata: ObjectMeta, pods: OperatorPods
) -> Document:
    """Return a NetworkPolicy for the pods of an operator, which bounds what comes in alone.

    Its webhooks are open to the API server where its addresses are known, and else to everybody; it
    calls from an address that differs by provider. The kubelet needs no rule.
    """
    addresses = platform.cluster.webhook.api_server.addresses
    reviews = [from_api_server(addresses, WEBHOOK_PORT)] if pods.has_webhooks else []
    metrics = from_namespaces(platform.monitoring.namespaces, pods.metrics_port)
    spec = {
        "podSelector": {"matchLabels": dict(pods.labels)},
        "policyTypes": ["Ingress"],
        "ingress": [*reviews, metrics],
    }
    return object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})
