"""How the pods of a job come to stand in one NVLink domain: by an affinity, or by Kueue.

Never by both. Kueue chooses the nodes of a pool with a topology before there are pods, and knows no
affinity of theirs: it would pin them to nodes of two domains, where the affinity holds them back
for ever. Annotations: `apis/kueue/v1beta2/topology_types.go`, what goes together:
`pkg/controller/jobframework/tas_validation.go`, and sizes of slices: `tas_flavor_snapshot.go` in
pkg/cache/scheduler of https://github.com/kubernetes-sigs/kueue at v0.19.2.
"""

from collections.abc import Mapping

from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.pod_topology import PODSET, queue_levels
from charts_py.platform.pool_hardware import NVLINK_DOMAIN

IN_ONE_DOMAIN: Mapping[str, str] = {f"{PODSET}-required-topology": NVLINK_DOMAIN}
"""Annotations of pods that Kueue places in one domain."""


def is_placed_by_queue(platform: Platform, pool: PlatformPool) -> bool:
    return NVLINK_DOMAIN in queue_levels(platform, pool)


def nodes_of_domain(pool: PlatformPool) -> int:
    """Return how many nodes NVLink joins at most; 0 where it joins none."""
    return (pool.hardware.model.nvlink_domain or 0) // pool.hardware.gpus


def domains_of(nodes: int, pool: PlatformPool) -> int:
    """Return how many domains so many nodes fill at least."""
    return -(-nodes // nodes_of_domain(pool))


def in_domains(nodes: int, pool: PlatformPool) -> Mapping[str, str]:
    """Return annotations of pods that Kueue places in as few domains, as many in each.

    Raises ValueError where so many nodes leave some domain with fewer.
    """
    if (domains := domains_of(nodes, pool)) == 1:
        return IN_ONE_DOMAIN
    if nodes % domains:
        raise ValueError(f"{nodes} nodes are no {domains} equal parts")
    slices = f"{PODSET}-slice"
    return {f"{slices}-required-topology": NVLINK_DOMAIN, f"{slices}-size": str(nodes // domains)}
