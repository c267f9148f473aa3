"""Which namespaces reach which, by what their NetworkPolicies open on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gpuplane.fleet_report.network_opening import Direction, Opening, closes, openings_of
from gpus.platform_names import TEAM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from charts_py.objects.document import Document
    from gpuplane.fleet_report.fleet_facts import RenderedVersion

NAMESPACE_LABEL = "kubernetes.io/metadata.name"
"""The label that every namespace has by itself
(https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-metadata-name)."""


@dataclass(frozen=True)
class Network:
    """The namespaces of a cluster, and what their policies open."""

    labels: Mapping[str, Mapping[str, str]]
    """By namespace, of those that are rendered."""
    policies: tuple[Document, ...]
    openings: tuple[Opening, ...]

    @cached_property
    def teams(self) -> tuple[str, ...]:
        """The namespaces of teams, sorted."""
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

    def labels_of(self, namespace: str) -> Mapping[str, str]:
        """Return the labels of a namespace, of one that is not rendered what it has by itself."""
        return {**self.labels.get(namespace, {}), NAMESPACE_LABEL: namespace}

    def reach(self, source: str, target: str) -> str | None:
        """Return what of one namespace can connect to what of another, None for nothing.

        Selectors of pods are not resolved: `some pods` is the most that there can be.
        """
        out = tuple(self._open(source, Direction.EGRESS, target))
        into = tuple(self._open(target, Direction.INGRESS, source))
        both = [_both(one, other) for one in out for other in into]
        ways = sorted(
            {way for way in both if way is not None}, key=lambda way: (way.count(","), way)
        )
        if not ways:
            return None
        return "all" if "all" in ways else "; ".join(ways)

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
        labels = self.labels_of(other)
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
    """Return the network of a rendered version."""
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
    pods = "all pods" if out.is_of_all_pods and into.is_of_all_pods else "some pods"
    if not ports:
        return "all" if pods == "all pods" else pods
    return f"{pods}: {_port_words(ports)}"


def _port_words(ports: frozenset[str]) -> str:
    return ", ".join(sorted(ports, key=lambda port: (len(port), port))) or "all ports"
