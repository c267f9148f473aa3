"""Whom culling reaches: the API server, Prometheus and those who resolve its name."""

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from charts_py.components.idle_gpus.names import METADATA, SELECTOR
from charts_py.components.network_rules import in_namespace, tcp
from charts_py.components.team.network_policy_specs import allow_api_server, allow_dns
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of
from charts_py.platform.platform import Platform

_DEFAULT_PORTS = {"http": 80, "https": 443}


def network_policy(platform: Platform, prometheus_url: str) -> Document:
    """Return a NetworkPolicy that lets nobody in, and out where a round has to go."""
    network = platform.cluster.network
    specs = (
        allow_dns(platform.provider.dns_pods, network.dns_address),
        allow_api_server(network.api_server),
    )
    spec = {
        "podSelector": {"matchLabels": SELECTOR},
        "policyTypes": ["Ingress", "Egress"],
        "egress": [*(rule for each in specs for rule in each["egress"]), _rule(prometheus_url)],
    }
    return object_of("networking.k8s.io/v1", "NetworkPolicy", METADATA, {"spec": spec})


def _rule(url: str) -> dict[str, Any]:
    """Return what leads to Prometheus.

    To the namespace of a Service, all of whose ports are open, since it can have another one than
    its pods; to an address; or else to its port anywhere, since a rule knows no names.
    """
    parts = urlsplit(url)
    ports = tcp([parts.port or _DEFAULT_PORTS[parts.scheme]])
    host = parts.hostname or ""
    if cidr := _cidr(host):
        return {"to": [{"ipBlock": {"cidr": cidr}}], "ports": ports}
    if namespace := _namespace(host):
        return {"to": [in_namespace(namespace)], "ports": [{"protocol": "TCP"}]}
    return {"ports": ports}


def _cidr(host: str) -> str | None:
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return f"{address}/{address.max_prefixlen}"


def _namespace(host: str) -> str | None:
    """Return the namespace of a Service, as of `prometheus.monitoring.svc.cluster.local`."""
    match host.split("."):
        case [_, namespace] | [_, namespace, "svc", *_]:
            return namespace
    return None
