"""How many nodes an agent pool has at most, and how many pods each of them at least."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft

_MAX_NODES = 1000
"""https://learn.microsoft.com/azure/aks/quotas-skus-regions"""
_MIN_PODS = 10
"""https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning#maximum-pods-per-node"""


def check_pool_size(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each size of a pool that AKS refuses."""
    for pool in draft.pools:
        if pool.spec.nodes.max > _MAX_NODES:
            what = f"{pool.spec.nodes.max} nodes in an agent pool"
            yield Problem((*pool.path, "nodes", "max"), what, f"at most {_MAX_NODES}")
        if pool.spec.max_pods is not None and pool.spec.max_pods < _MIN_PODS:
            what = f"{pool.spec.max_pods} pods on a node of {draft.cluster.provider}"
            yield Problem((*pool.path, "maxPods"), what, f"at least {_MIN_PODS}")
