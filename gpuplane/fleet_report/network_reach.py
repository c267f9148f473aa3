"""Which namespaces reach each other: NetworkPolicies of both sides have to open the way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from charts_py.objects.document import Document
from gpuplane.fleet_report.fleet_facts import RenderedVersion
from gpus.platform_names import TEAM

Selector: TypeAlias = Mapping[str, Any]


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
    pods: str
    """Which pods of the namespace, in words; empty for all."""
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
        return not self.pods and not selector_words(self.peer.get("podSelector") or {})


def selects(selector: Selector, labels: Mapping[str, str]) -> bool:
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


NAMESPACE_LABEL = "kubernetes.io/metadata.name"
"""The label that every namespace has by itself
(https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-metadata-name)."""


@dataclass(frozen=True)
class Network:
    """The namespaces of a cluster, and what their policies open."""

    labels: Mapping[str, Mapping[str, str]]
    """Labels of the rendered namespaces, by the namespace's name."""
    policies: tuple[Document, ...]
    openings: tuple[Opening, ...]

    @cached_property
    def teams(self) -> tuple[str, ...]:
        return tuple(name for name, labels in sorted(self.labels.items()) if TEAM in labels)

    @property
    def sources(self) -> tuple[str, ...]:
        """The namespaces of teams, and then those that are let into them by name."""
        named = {
            opening.peer.get("namespaceSelector", {}).get("matchLabels", {}).get(NAMESPACE_LABEL)
            for opening in self.openings
            if opening.namespace in self.teams and opening.direction is Direction.INGRESS
        }
        others = sorted(name for name in named - {None} if name not in self.teams)
        return (*self.teams, *others)

    def reach(self, source: str, target: str) -> str | None:
        """Return which pods of one namespace can connect to which of another; None for no pods.

        Selectors of pods are not resolved: `some pods` is the most that there can be.
        """
        out = tuple(self._open(source, Direction.EGRESS, target))
        into = tuple(self._open(target, Direction.INGRESS, source))
        both = {_both(one, other) for one in out for other in into}
        if "all" in both:
            return "all"
        ways = sorted(both - {None}, key=lambda way: (str(way).count(","), way))
        return "; ".join(map(str, ways)) or None

    def addresses(self, namespace: str) -> tuple[str, ...]:
        """Return the addresses that its pods can reach, with their ports."""
        found = (
            f"{opening.peer_words} ({_port_words(opening.ports)})"
            for opening in self.openings
            if opening.namespace == namespace
            and opening.direction is Direction.EGRESS
            and opening.is_address
        )
        return tuple(dict.fromkeys(found))

    def _open(self, namespace: str, direction: Direction, other: str) -> Iterator[Opening]:
        if (namespace, direction) not in self._closed:
            yield Opening(namespace, "", direction, "", {}, frozenset())
        labels = {**self.labels.get(other, {}), NAMESPACE_LABEL: other}
        for opening in self._opened.get((namespace, direction), ()):
            if opening.lets_through(other, labels):
                yield opening

    @cached_property
    def _closed(self) -> frozenset[tuple[str, Direction]]:
        """The namespaces that nothing leaves or reaches but what is opened."""
        return frozenset(
            (policy["metadata"]["namespace"], direction)
            for policy in self.policies
            for direction in Direction
            if closes(policy, direction)
        )

    @cached_property
    def _opened(self) -> Mapping[tuple[str, Direction], tuple[Opening, ...]]:
        """What is opened of each namespace, since a page asks for each pair of them."""
        found: dict[tuple[str, Direction], list[Opening]] = {}
        for opening in self.openings:
            found.setdefault((opening.namespace, opening.direction), []).append(opening)
        return {key: tuple(openings) for key, openings in found.items()}


def network_of(version: RenderedVersion) -> Network:
    policies = version.of_kind("NetworkPolicy")
    return Network(
        labels={
            each["metadata"]["name"]: each["metadata"].get("labels") or {}
            for each in version.of_kind("Namespace")
        },
        policies=policies,
        openings=tuple(opening for policy in policies for opening in openings_of(policy)),
    )


def _both(out: Opening, into: Opening) -> str | None:
    """Return what both sides open, in words; None where their ports exclude each other."""
    if out.ports and into.ports and not out.ports & into.ports:
        return None
    ports = (out.ports & into.ports) or out.ports or into.ports
    is_of_all = out.is_of_all_pods and into.is_of_all_pods
    if not ports:
        return "all" if is_of_all else "some pods"
    return f"{'all' if is_of_all else 'some'} pods: {_port_words(ports)}"


def _port_words(ports: frozenset[str]) -> str:
    return ", ".join(sorted(ports, key=lambda port: (len(port), port))) or "all ports"


def openings_of(policy: Document) -> Iterator[Opening]:
    metadata, spec = policy["metadata"], policy["spec"]
    pods = selector_words(spec.get("podSelector") or {})
    for direction in Direction:
        for rule in spec.get(direction.lower()) or ():
            ports = frozenset(map(_port, rule.get("ports") or ()))
            for peer in rule.get(direction.word) or (dict[str, Any](),):
                yield Opening(metadata["namespace"], metadata["name"], direction, pods, peer, ports)


def closes(policy: Document, direction: Direction) -> bool:
    """Return whether a policy closes all pods of its namespace, but for what is opened."""
    spec = policy["spec"]
    stated = spec.get("policyTypes") or ["Ingress", *(["Egress"] if spec.get("egress") else [])]
    return direction.value in stated and not selector_words(spec.get("podSelector") or {})


def _port(port: Mapping[str, Any]) -> str:
    protocol, number = port.get("protocol") or "TCP", port.get("port", "all")
    last = f"-{port['endPort']}" if "endPort" in port else ""
    return f"{number}{last}" if protocol == "TCP" else f"{number}{last}/{protocol}"
