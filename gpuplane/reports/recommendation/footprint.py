"""What workloads take of GPUs and nodes.

Utilisation is GPU compute in use over the GPU compute of all nodes that are powered, as the
evidence measures it (docs/evidence.md).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from charts_py.platform.pool_price import HOURS_OF_A_MONTH, Price
from gpuplane.reports.recommendation.workload import Workload
from gpus.pool_facts import PoolFacts


@dataclass(frozen=True, slots=True)
class Footprint:
    """The GPUs and nodes that pods take."""

    gpus: int
    """GPUs that some pod holds, or a part of."""
    nodes: int
    gpus_per_node: int
    in_use: Fraction
    """The compute in use on average, in GPUs."""

    @property
    def utilisation(self) -> Fraction:
        """Compute in use over the compute of all nodes; 0 without any."""
        return self.in_use / max(self.nodes * self.gpus_per_node, 1)


def month_of(nodes: int, price: Price | None) -> float | None:
    """Return what nodes cost a month, to the cent; None where that is not known."""
    return None if price is None else round(nodes * price.node_hour * HOURS_OF_A_MONTH, 2)


def whole(workloads: Iterable[Workload], gpus_per_node: int) -> Footprint:
    """Return what workloads take where each pod holds whole GPUs."""
    workloads = tuple(workloads)
    pods = Counter[int]()
    for workload in workloads:
        pods[workload.gpus_per_pod] += workload.pods
    return Footprint(
        gpus=sum(size * count for size, count in pods.items()),
        nodes=nodes_of(pods, gpus_per_node),
        gpus_per_node=gpus_per_node,
        in_use=_in_use(workloads),
    )


def shared(workloads: Iterable[Workload], facts: PoolFacts) -> Footprint:
    """Return what workloads take where each pod holds one allocation of a pool."""
    workloads = tuple(workloads)
    pods = sum(workload.pods for workload in workloads)
    return Footprint(
        gpus=ceil(Fraction(pods * facts.gpus_per_node, facts.allocations_per_node)),
        nodes=ceil(Fraction(pods, facts.allocations_per_node)),
        gpus_per_node=facts.gpus_per_node,
        in_use=_in_use(workloads),
    )


def added(footprints: Iterable[Footprint], gpus_per_node: int) -> Footprint:
    """Return what several pools take together."""
    footprints = tuple(footprints)
    return Footprint(
        gpus=sum(each.gpus for each in footprints),
        nodes=sum(each.nodes for each in footprints),
        gpus_per_node=gpus_per_node,
        in_use=sum((each.in_use for each in footprints), Fraction()),
    )


def nodes_of(pods: Counter[int], gpus_per_node: int) -> int:
    """Return the nodes that pods of so many GPUs each fill, the largest first."""
    free = Counter[int]()
    nodes = 0
    for size, count in sorted(pods.items(), reverse=True):
        for _ in range(count):
            left = min((each for each, n in free.items() if n and each >= size), default=None)
            if left is None:
                nodes, left = nodes + 1, gpus_per_node
            else:
                free[left] -= 1
            free[left - size] += 1
    return nodes


def _in_use(workloads: Iterable[Workload]) -> Fraction:
    return sum((each.pods * each.in_use for each in workloads), Fraction())
