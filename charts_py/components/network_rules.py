"""What the rules of NetworkPolicies are made of: who is let in, and at which ports.

https://kubernetes.io/docs/concepts/services-networking/network-policies/
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL

Fields: TypeAlias = dict[str, Any]


def in_namespace(name: str) -> Fields:
    """Return who is in a namespace, all pods unless their labels are added."""
    return {"namespaceSelector": {"matchLabels": {NAMESPACE_NAME_LABEL: name}}}


def tcp(ports: Iterable[int | str]) -> list[Fields]:
    """Return ports, by number or by name."""
    return [{"port": port, "protocol": "TCP"} for port in ports]


def from_namespaces(names: Iterable[str], *ports: int | str) -> Fields:
    """Return the rule that lets in all pods of these namespaces."""
    return {"from": [in_namespace(name) for name in names], "ports": tcp(ports)}


def from_api_server(addresses: Iterable[str], port: int) -> Fields:
    """Return the rule that lets in the API server where its addresses are known, else everybody."""
    callers = [{"ipBlock": {"cidr": cidr}} for cidr in addresses]
    return {**({"from": callers} if callers else {}), "ports": tcp([port])}
