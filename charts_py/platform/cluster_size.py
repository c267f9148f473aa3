"""How large a cluster can become, as its file bounds it: what the sizes of controllers follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from charts_py.platform.object_bounds import most_jobs, most_pods

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform

_DAEMONS = 16
"""Pods of daemons on a node: a dozen of the GPU operator (https://github.com/NVIDIA/gpu-operator,
assets/ at v26.7.0), and those of the network, of storage and of monitoring."""


@dataclass(frozen=True, slots=True)
class ClusterSize:
    """What a cluster holds at most."""

    nodes: int = 0
    """Those of the pools; the few that run the platform itself do not matter."""
    gpus: int = 0
    namespaces: int = 0
    """Those of teams."""
    jobs: int = 0
    """Those that have ended too, as the quotas on numbers of objects bound them."""
    pods: int = 0
    """One that each job has left, those that have not ended, and daemons."""


def cluster_size(platform: Platform) -> ClusterSize:
    """Return the size of a cluster, in which what one namespace borrows of another counts once."""
    nodes = sum(pool.spec.nodes.max for pool in platform.pools)
    quotas = [each.spec.quota for each in platform.namespaces]
    jobs = sum(most_jobs(quota, sum(quota.gpus.values())) for quota in quotas)
    live = sum(most_pods(quota, sum(quota.gpus.values())) for quota in quotas)
    return ClusterSize(
        nodes=nodes,
        gpus=sum(pool.spec.nodes.max * pool.hardware.gpus for pool in platform.pools),
        namespaces=len(quotas),
        jobs=jobs,
        pods=jobs + live + nodes * _DAEMONS,
    )
