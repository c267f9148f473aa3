"""A group of nodes, as what makes them states it, and as its nodes show it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from charts_py.cluster_file.pool import Numa
from gpuplane.adoption.nodes import FoundNode
from gpus.purchase import Purchase


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """A group of nodes; nobody states a field that is empty or None."""

    name: str
    origins: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
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
    numa: Numa | None = None
    gpu_profile: str | None = None
    """How AKS names the MIG profile of every GPU, such as `MIG1g`."""
    hostnames: tuple[str, ...] = ()
    nodes: tuple[FoundNode, ...] = ()
    made_by: str | None = None
    """The NodePool of Karpenter that makes the nodes, where it goes by another name."""
    notes: tuple[str, ...] = ()
    """Settings of it that no cluster file can hold."""

    @property
    def origin(self) -> str:
        return ", ".join(self.origins) or node_names(self.nodes)

    @property
    def instance_type(self) -> str | None:
        """The one instance type; that of the nodes where several would be allowed."""
        allowed = self.instance_types
        running = {node.instance_type for node in self.nodes} - {None}
        if len(allowed) > 1 and len(running) == 1:
            return next(iter(running))
        return allowed[0] if len(allowed) == 1 else None

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
    names = [each.name for each in fields(NodeGroup)]
    both = {name: _both(getattr(first, name), getattr(second, name)) for name in names}
    if first.max is not None and second.max is not None:
        both["max"] = first.max + second.max  # two objects of one pool share out its size
    return NodeGroup(**both)


def _both(first: Any, second: Any) -> Any:
    """Return the entries of both; of values that are not several, the first that is stated."""
    if isinstance(first, tuple):
        return (*first, *(one for one in second if one not in first))
    if isinstance(first, Mapping):
        return {**second, **first}
    return second if first is None else first
