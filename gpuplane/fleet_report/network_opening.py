"""What NetworkPolicies open, as they were rendered.

Policies only add up: where any selects a pod, what none opens is closed
(https://kubernetes.io/docs/concepts/services-networking/network-policies/).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from charts_py.objects.document import Document

Selector: TypeAlias = "Mapping[str, Any]"


class Direction(StrEnum):
    """Whose connections a rule opens."""

    INGRESS = "Ingress"
    EGRESS = "Egress"

    @property
    def word(self) -> str:
        """What people read."""
        return "from" if self is Direction.INGRESS else "to"


@dataclass(frozen=True, slots=True)
class Opening:
    """One peer that one rule of a policy lets through."""

    namespace: str
    policy: str
    direction: Direction
    pods: str
    """Which pods of the namespace, in words; empty for all."""
    peer: Mapping[str, Any]
    """A `NetworkPolicyPeer`; empty for anything."""
    ports: frozenset[str]
    """Empty for all."""

    @property
    def peer_words(self) -> str:
        """Whom it lets through, in words."""
        if not self.peer:
            return "anything"
        if "ipBlock" in self.peer:
            return _block_words(self.peer["ipBlock"])
        pods = selector_words(self.peer.get("podSelector") or {})
        namespaces = self.peer.get("namespaceSelector")
        if namespaces is None:
            return f"pods here {pods}".strip()
        where = f"namespaces {selector_words(namespaces)}".strip()
        return f"{where}, pods {pods}" if pods else where

    @property
    def is_address(self) -> bool:
        """Whether it is of addresses, and not of pods."""
        return "ipBlock" in self.peer

    def lets_through(self, namespace: str, labels: Mapping[str, str]) -> bool:
        """Return whether it is of any pods of a namespace."""
        if self.is_address:
            return False
        selector = self.peer.get("namespaceSelector")
        if selector is None:
            return not self.peer or namespace == self.namespace
        return selects(selector, labels)

    @property
    def is_of_all_pods(self) -> bool:
        """Whether it is of all pods on both sides."""
        return not self.pods and not selector_words(self.peer.get("podSelector") or {})


def openings_of(policy: Document) -> Iterator[Opening]:
    """Yield what a NetworkPolicy opens."""
    metadata, spec = policy["metadata"], policy["spec"]
    pods = selector_words(spec.get("podSelector") or {})
    for direction, rules, peers in (
        (Direction.INGRESS, "ingress", "from"),
        (Direction.EGRESS, "egress", "to"),
    ):
        for rule in spec.get(rules) or ():
            ports = frozenset(map(_port, rule.get("ports") or ()))
            for peer in rule.get(peers) or (dict[str, Any](),):
                yield Opening(metadata["namespace"], metadata["name"], direction, pods, peer, ports)


def closes(policy: Document, direction: Direction) -> bool:
    """Return whether a policy closes all pods of its namespace, but for what is opened."""
    spec = policy["spec"]
    stated = spec.get("policyTypes") or ["Ingress", *(["Egress"] if spec.get("egress") else [])]
    return direction.value in stated and not selector_words(spec.get("podSelector") or {})


def selects(selector: Selector, labels: Mapping[str, str]) -> bool:
    """Return whether a LabelSelector selects what has these labels."""
    stated = selector.get("matchLabels") or {}
    expressions = selector.get("matchExpressions") or ()
    return all(labels.get(key) == value for key, value in stated.items()) and all(
        _holds(each, labels) for each in expressions
    )


def _holds(expression: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    key, values = expression["key"], expression.get("values") or ()
    match expression["operator"]:
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
    raise ValueError(f"unknown operator {expression['operator']!r} of a label selector")


def selector_words(selector: Selector) -> str:
    """Return a LabelSelector in words; empty where it selects everything."""
    stated = [f"{key}={value}" for key, value in (selector.get("matchLabels") or {}).items()]
    expressions = [_expression_words(each) for each in selector.get("matchExpressions") or ()]
    return " and ".join([*(["with " + ", ".join(stated)] if stated else []), *expressions])


def _expression_words(expression: Mapping[str, Any]) -> str:
    key, values = expression["key"], ", ".join(expression.get("values") or ())
    words = {
        "Exists": f"with {key}",
        "DoesNotExist": f"without {key}",
        "In": f"with {key} of {values}",
        "NotIn": f"without {key} of {values}",
    }
    return words[expression["operator"]]


def _block_words(block: Mapping[str, Any]) -> str:
    without = ", ".join(block.get("except") or ())
    return f"{block['cidr']} without {without}" if without else str(block["cidr"])


def _port(port: Mapping[str, Any]) -> str:
    protocol, number = port.get("protocol") or "TCP", port.get("port", "all")
    last = f"-{port['endPort']}" if "endPort" in port else ""
    return f"{number}{last}" if protocol == "TCP" else f"{number}{last}/{protocol}"
