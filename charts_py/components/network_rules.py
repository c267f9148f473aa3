"""The rules of NetworkPolicies, and the NetworkPolicy of an operator.

https://kubernetes.io/docs/concepts/services-networking/network-policies/
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL

WEBHOOK_PORT = 9443
"""Where controller-runtime serves webhooks (https://github.com/kubernetes-sigs/controller-runtime,
`DefaultPort` in pkg/webhook/server.go at v0.24.1)."""
Fields: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OperatorPods:
    """The pods of an operator, and who has to reach them."""

    labels: Mapping[str, str]
    metrics_port: int
    has_webhooks: bool = True
    """Whether the API server calls them."""


def in_namespace(name: str) -> Fields:
    """Return who is in a namespace, all pods unless their labels are added."""
    return {"namespaceSelector": {"matchLabels": {NAMESPACE_NAME_LABEL: name}}}


def tcp(ports: Iterable[int | str]) -> list[Fields]:
    return [{"port": port, "protocol": "TCP"} for port in ports]


def from_namespaces(names: Iterable[str], *ports: int | str) -> Fields:
    return {"from": [in_namespace(name) for name in names], "ports": tcp(ports)}


def from_api_server(addresses: Iterable[str], port: int) -> Fields:
    """Return the rule that lets in the API server where its addresses are known, else everybody."""
    callers = [{"ipBlock": {"cidr": cidr}} for cidr in addresses]
    return {**({"from": callers} if callers else {}), "ports": tcp([port])}


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
