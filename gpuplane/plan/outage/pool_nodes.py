"""How many nodes of a pool run, as far as that is known without asking the cluster."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from charts_py.platform.platform import Platform
from gpuplane.plan.outage.span import Span, exactly

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


def part_of(pool: PoolNodes, own: int | None, others: Iterable[int | None]) -> PoolNodes:
    """Return the nodes that one of several objects of a pool makes: at most its own number.

    A part that is no larger than what the pool keeps is taken as kept; the others have the rest.
    """
    rest = sum(each or 0 for each in others)
    if own is None or not rest:
        return pool
    low, high = pool.nodes.low, pool.nodes.high
    if own <= low:
        return replace(pool, nodes=exactly(own))
    left = None if high is None else max(0, high - rest)
    return replace(pool, nodes=Span(max(0, low - rest), left))
