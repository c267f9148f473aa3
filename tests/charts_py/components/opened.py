"""What a NetworkPolicy opens, as it writes it."""

from typing import Any

ADDRESSES = ("teams:\n", "webhook: {apiServer: {addresses: [10.0.0.0/28]}}\nteams:\n")
"""Has a sample say from where the API server calls webhooks."""


def tcp(*ports: int | str) -> list[dict[str, Any]]:
    return [{"port": port, "protocol": "TCP"} for port in ports]


def in_namespace(name: str) -> dict[str, Any]:
    return {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}}}


def at(*cidrs: str) -> list[dict[str, Any]]:
    return [{"ipBlock": {"cidr": cidr}} for cidr in cidrs]


def ingress(*rules: dict[str, Any], pods: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"podSelector": pods or {}, "policyTypes": ["Ingress"], "ingress": list(rules)}


def egress(*rules: dict[str, Any]) -> dict[str, Any]:
    return {"podSelector": {}, "policyTypes": ["Egress"], "egress": list(rules)}
