"""Which namespaces reach each other: NetworkPolicies of both sides have to open the way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from charts_py.objects.document import Document
from gpuplane.fleet_report.fleet_facts import RenderedVersion
from gpuplane.plan.network_openings import Direction, Opening, closes, openings_of, port_words
from gpus.platform_names import TEAM

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
            f"{opening.peer_words} ({port_words(opening.ports)})"
            for opening in self.openings
            if opening.namespace == namespace
            and opening.direction is Direction.EGRESS
            and opening.is_address
        )
        return tuple(dict.fromkeys(found))

    def _open(self, namespace: str, direction: Direction, other: str) -> Iterator[Opening]:
        if (namespace, direction) not in self._closed:
            yield Opening(namespace, "", direction, {}, {}, frozenset())
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
    return f"{'all' if is_of_all else 'some'} pods: {port_words(ports)}"
