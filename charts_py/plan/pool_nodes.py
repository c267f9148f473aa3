"""How many nodes of a pool run, as far as that is known without asking the cluster."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from charts_py.plan.span import Span, exactly
from charts_py.platform.platform import Platform

RunningNodes: TypeAlias = Mapping[tuple[str, str], int]
"""Nodes that run, by cluster and pool, where somebody said so."""


@dataclass(frozen=True, slots=True)
class PoolNodes:
    """The nodes of a pool before a change."""

    cluster: str
    pool: str
    nodes: Span
    gpus: int
    """On each node."""
    is_counted: bool = False
    """Whether somebody counted the nodes; else they are between those kept and the most."""

    @property
    def place(self) -> str:
        """Cluster and pool, as in `training/h100`."""
        return f"{self.cluster}/{self.pool}"


def pool_nodes(
    cluster: str, pool: str, running: RunningNodes, *platforms: Platform
) -> PoolNodes | None:
    """Return the nodes of a pool by the first platform that has it; None where none has."""
    for platform in platforms:
        for one in platform.pools:
            if one.name == pool:
                counted = running.get((cluster, pool))
                known = Span(one.min_nodes, one.spec.nodes.max)
                nodes = known if counted is None else exactly(counted)
                return PoolNodes(cluster, pool, nodes, one.hardware.gpus, counted is not None)
    return None
