"""What NetworkPolicies open, peer by peer, and which pods they close."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from charts_py.objects.document import Document
from gpuplane.label_selector import Selector, selects


class Direction(StrEnum):
    """Whose connections a rule opens."""

    INGRESS = "Ingress"
    EGRESS = "Egress"

    @property
    def word(self) -> str:
        return "from" if self is Direction.INGRESS else "to"


@dataclass(frozen=True, slots=True)
class Opening:
    """One peer that one rule of a policy lets through."""

    namespace: str
    policy: str
    direction: Direction
    pods: Selector
    """Which pods of the namespace; empty for all."""
    peer: Mapping[str, Any]
    """A `NetworkPolicyPeer`; empty for anything."""
    ports: frozenset[str]
    """Empty for all."""

    @property
    def peer_words(self) -> str:
        if not self.peer:
            return "anything"
        if "ipBlock" in self.peer:
            cidr, without = self.peer["ipBlock"]["cidr"], self.peer["ipBlock"].get("except")
            return f"{cidr} without {', '.join(without)}" if without else str(cidr)
        pods = selector_words(self.peer.get("podSelector") or {})
        namespaces = self.peer.get("namespaceSelector")
        if namespaces is None:
            return f"pods here {pods}".strip()
        where = f"namespaces {selector_words(namespaces)}".strip()
        return f"{where}, pods {pods}" if pods else where

    @property
    def is_address(self) -> bool:
        return "ipBlock" in self.peer

    def lets_through(self, namespace: str, labels: Mapping[str, str]) -> bool:
        if self.is_address:
            return False
        selector = self.peer.get("namespaceSelector")
        if selector is None:
            return not self.peer or namespace == self.namespace
        return selects(selector, labels)

    @property
    def is_of_all_pods(self) -> bool:
        return not any(map(selector_words, (self.pods, self.peer.get("podSelector") or {})))


def selector_words(selector: Selector) -> str:
    """Return a LabelSelector in words; empty where it selects everything."""
    stated = [f"{key}={value}" for key, value in (selector.get("matchLabels") or {}).items()]
    expressions = [_expression_words(each) for each in selector.get("matchExpressions") or ()]
    return " and ".join([*(["with " + ", ".join(stated)] if stated else []), *expressions])


def _expression_words(expression: Mapping[str, Any]) -> str:
    key, operator = expression["key"], expression["operator"]
    values = ", ".join(expression.get("values") or ())
    words = {
        "Exists": f"with {key}",
        "DoesNotExist": f"without {key}",
        "In": f"with {key} of {values}",
        "NotIn": f"without {key} of {values}",
    }
    return words.get(operator, f"with {key} {operator} {values}".strip())


def port_words(ports: frozenset[str]) -> str:
    return ", ".join(sorted(ports, key=lambda port: (len(port), port))) or "all ports"


def openings_of(policy: Document) -> Iterator[Opening]:
    metadata, spec = policy["metadata"], policy.get("spec") or {}
    pods, namespace = pod_selector(policy), metadata.get("namespace", "")
    for direction in Direction:
        for rule in spec.get(direction.lower()) or ():
            ports = frozenset(map(_port, rule.get("ports") or ()))
            for peer in rule.get(direction.word) or (dict[str, Any](),):
                yield Opening(namespace, metadata["name"], direction, pods, peer, ports)


def closes(policy: Document, direction: Direction) -> bool:
    """Return whether a policy closes all pods of its namespace, but for what is opened."""
    return isolates(policy, direction) and not selector_words(pod_selector(policy))


def isolates(policy: Document, direction: Direction) -> bool:
    """Return whether a policy closes the pods that it selects, but for what is opened."""
    spec = policy.get("spec") or {}
    stated = spec.get("policyTypes") or ["Ingress", *(["Egress"] if spec.get("egress") else [])]
    return direction.value in stated


def pod_selector(policy: Document) -> Selector:
    return (policy.get("spec") or {}).get("podSelector") or {}


def _port(port: Mapping[str, Any]) -> str:
    protocol, number = port.get("protocol") or "TCP", port.get("port", "all")
    last = f"-{port['endPort']}" if "endPort" in port else ""
    return f"{number}{last}" if protocol == "TCP" else f"{number}{last}/{protocol}"
