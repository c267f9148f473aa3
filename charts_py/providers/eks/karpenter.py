"""Node pools on EKS that Karpenter makes nodes for.

Three of its features are alpha and off by default in 1.14; the clusters' Karpenter must run with
those gates that its pools need (https://karpenter.sh/v1.14/reference/settings/#feature-gates):
`StaticCapacity` where a pool has a minimum size, `CapacityBuffer` where it keeps warm nodes, and
`NodeOverlay` where its GPUs are shared.

With its `PREFERENCE_POLICY` at `Respect`, the default, it takes what pods prefer for what they
require as long as it may start nodes. The replicas of an inference service prefer a node each
(`policies/rules/replica_spread.py`), so that each would start one, and none would ever be taken
away. With `Ignore` the scheduler still spreads them, over the nodes that are there.
https://karpenter.sh/v1.14/reference/settings/
"""

from collections.abc import Iterator

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.providers.eks.ec2_node_class import ec2_node_class
from charts_py.providers.eks.karpenter_node_pool import node_pools
from charts_py.providers.eks.karpenter_overlay import node_overlay
from charts_py.providers.eks.warm_nodes import warm_nodes
from gpus.sharing import SharingKind


def karpenter_pools(platform: Platform) -> Iterator[Document]:
    """Yield the NodePools of every pool, with what they refer to."""
    for pool in platform.pools:
        yield from _objects(pool, platform)


def _objects(pool: PlatformPool, platform: Platform) -> Iterator[Document]:
    yield ec2_node_class(pool, platform)
    yield from node_pools(pool, platform.contribution.startup_taints.get(pool.name, ()))
    if pool.facts.sharing.kind is not SharingKind.NONE:
        yield node_overlay(pool)
    if pool.spec.nodes.warm > 0:
        yield from warm_nodes(pool, platform.mirrors)
