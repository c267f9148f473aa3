"""A group of nodes, as what makes them states it, and as its nodes show it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from gpuplane.adoption.nodes import FoundNode
from gpus.purchase import Purchase

_Text = TypeVar("_Text", bound=str)


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """A group of nodes; nobody states a field that is empty or None."""

    name: str
    origins: tuple[str, ...] = ()
    """The objects that state it."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of all its nodes."""
    taints: tuple[str, ...] = ()
    instance_types: tuple[str, ...] = ()
    purchases: tuple[Purchase, ...] = ()
    reservations: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    min: int | None = None
    max: int | None = None
    limits: Mapping[str, str] = field(default_factory=dict)
    """Bounds on the resources of all its nodes together."""
    warm: int | None = None
    max_pods: int | None = None
    gpu_profile: str | None = None
    """How AKS names the MIG profile of every GPU, such as `MIG1g`."""
    hostnames: tuple[str, ...] = ()
    """Regular expressions for the names of its nodes."""
    nodes: tuple[FoundNode, ...] = ()
    notes: tuple[str, ...] = ()
    """Settings of it that no cluster file can hold."""

    @property
    def origin(self) -> str:
        if self.origins:
            return ", ".join(self.origins)
        return node_names(self.nodes)

    @property
    def capacity(self) -> Mapping[str, str]:
        """What a node offers; the first node that offers anything stands for all."""
        return next((node.capacity for node in self.nodes if node.capacity), {})


def node_names(nodes: Iterable[FoundNode]) -> str:
    """Return the nodes in words: one by its name, more by their number."""
    names = [node.name for node in nodes]
    if len(names) == 1:
        return f"Node {names[0]}"
    return f"{len(names)} Nodes, such as {names[0]}" if names else ""


def joined(groups: Iterable[NodeGroup]) -> tuple[NodeGroup, ...]:
    """Return one group for each name, sorted; later ones state what earlier ones leave open."""
    by_name: dict[str, NodeGroup] = {}
    for group in groups:
        before = by_name.get(group.name)
        by_name[group.name] = group if before is None else _joined(before, group)
    return tuple(by_name[name] for name in sorted(by_name))


def _joined(first: NodeGroup, second: NodeGroup) -> NodeGroup:
    return replace(
        first,
        origins=_both(first.origins, second.origins),
        labels={**second.labels, **first.labels},
        taints=_both(first.taints, second.taints),
        instance_types=_both(first.instance_types, second.instance_types),
        purchases=_both(first.purchases, second.purchases),
        reservations=_both(first.reservations, second.reservations),
        zones=_both(first.zones, second.zones),
        min=_stated(first.min, second.min),
        max=_sum(first.max, second.max),
        limits={**second.limits, **first.limits},
        warm=_stated(first.warm, second.warm),
        max_pods=_stated(first.max_pods, second.max_pods),
        gpu_profile=first.gpu_profile or second.gpu_profile,
        hostnames=_both(first.hostnames, second.hostnames),
        nodes=(*first.nodes, *second.nodes),
        notes=_both(first.notes, second.notes),
    )


def _both(first: tuple[_Text, ...], second: tuple[_Text, ...]) -> tuple[_Text, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _stated(first: int | None, second: int | None) -> int | None:
    return second if first is None else first


def _sum(first: int | None, second: int | None) -> int | None:
    """Return the nodes of both: two objects that state one pool share out its size."""
    return first + second if first is not None and second is not None else _stated(first, second)
