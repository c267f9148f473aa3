"""Who may reach an operator: the API server, and those who collect its metrics."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL

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
    reviews = _reviews(platform) if pods.has_webhooks else ()
    spec = {
        "podSelector": {"matchLabels": dict(pods.labels)},
        "policyTypes": ["Ingress"],
        "ingress": [*reviews, _metrics(platform, pods.metrics_port)],
    }
    return object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})


def _reviews(platform: Platform) -> Iterator[dict[str, Any]]:
    addresses = platform.cluster.webhook.api_server.addresses
    callers = [{"ipBlock": {"cidr": cidr}} for cidr in addresses]
    yield {**({"from": callers} if callers else {}), "ports": [_port(WEBHOOK_PORT)]}


def _metrics(platform: Platform, port: int) -> dict[str, Any]:
    names = [{"matchLabels": {NAMESPACE_NAME_LABEL: n}} for n in platform.monitoring.namespaces]
    return {"from": [{"namespaceSelector": name} for name in names], "ports": [_port(port)]}


def _port(number: int) -> dict[str, Any]:
    return {"port": number, "protocol": "TCP"}
