"""What lists are made of."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import RootModel

from gpuplane.playground.answer import Answer


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """A cluster."""

    name: str
    provider: str
    region: str | None
    kubernetes: str
    version: str
    """What a synth renders."""
    live: str | None
    """What Argo CD syncs; null where nothing is."""
    pools: tuple[str, ...]
    namespaces: Mapping[str, str]
    """The team of each."""


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A pool of a cluster."""

    name: str
    gpu: str
    """Model of its GPUs."""
    gpus_per_node: int
    instance_type: str | None
    """Null for machines of one's own."""
    purchase: str
    min_nodes: int
    max_nodes: int
    sharing: str
    resources: Mapping[str, int]
    """Allocations of each resource that a pod can ask a node for."""
    taints: tuple[str, ...]
    node_hour: float | None
    """What a node costs an hour; null where that is not known."""
    currency: str


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule on GPU pods."""

    name: str
    kind: str
    """`fix`, `refuse` or `warn`."""
    summary: str


class ManifestAnswer(RootModel[Answer]):
    """What admission does to a manifest; the SDK can make a schema of this."""
