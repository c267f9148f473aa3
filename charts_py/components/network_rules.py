"""The rules of NetworkPolicies, and the NetworkPolicy of an operator.

https://kubernetes.io/docs/concepts/services-networking/network-policies/
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.name_rule import metadata_networks_in
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL

WEBHOOK_PORT = 9443
"""Where controller-runtime serves webhooks (https://github.com/kubernetes-sigs/controller-runtime,
`DefaultPort` in pkg/webhook/server.go at v0.24.1)."""
PRIVATE_PORT = 10250
"""The API server of a private GKE cluster reaches pods at it and 443 alone, unless somebody adds a
firewall rule:
https://cloud.google.com/kubernetes-engine/docs/how-to/private-clusters#add_firewall_rules"""
_ANYWHERE = ("0.0.0.0/0", "::/0")
_DEFAULT_PORTS = {"http": 80, "https": 443}
Fields: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OperatorPods:
    """The pods of an operator, and who has to reach them."""

    labels: Mapping[str, str]
    metrics_port: int
    has_webhooks: bool = True
    """Whether the API server calls them."""


def network_policy_of(metadata: ObjectMeta, spec: Mapping[str, Any]) -> Document:
    return object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})


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


def ip_block(cidr: str) -> Fields:
    """Return addresses without those of nodes' metadata among them.

    The API server takes an exception only where it is inside of them.
    """
    metadata = metadata_networks_in(cidr)
    return {"cidr": cidr, "except": metadata} if metadata else {"cidr": cidr}


def to_prometheus(url: str) -> Fields:
    """Return the rule that lets out what asks Prometheus at an address.

    Where that is a name outside of the cluster, it opens the port anywhere, except where a node
    hands out its credentials.
    """
    return to_server(url, _ANYWHERE) or {}


def to_server(url: str, networks: Iterable[str]) -> Fields | None:
    """Return the rule that lets out what asks a server at an address; None where none can.

    It opens all ports of a Service's namespace, since a Service can have another port than its
    pods; an address; or else the port in these networks, since a rule knows no names.
    """
    parts = urlsplit(url)
    ports = tcp([parts.port or _DEFAULT_PORTS[parts.scheme]])
    if cidr := fixed_network(url):
        return {"to": [{"ipBlock": {"cidr": cidr}}], "ports": ports}
    if namespace := _namespace(parts.hostname or ""):
        return {"to": [in_namespace(namespace)], "ports": [{"protocol": "TCP"}]}
    peers = [{"ipBlock": ip_block(cidr)} for cidr in networks]
    return {"to": peers, "ports": ports} if peers else None


def fixed_network(url: str) -> str | None:
    """Return the network of the one address that a URL names; None where it names a host."""
    try:
        address = ip_address(urlsplit(url).hostname or "")
    except ValueError:
        return None
    return f"{address}/{address.max_prefixlen}"


def _namespace(host: str) -> str | None:
    """Return the namespace of a Service, as of `prometheus.monitoring.svc.cluster.local`."""
    match host.split("."):
        case [_, namespace] | [_, namespace, "svc", *_]:
            return namespace
    return None


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
    return network_policy_of(metadata, spec)
