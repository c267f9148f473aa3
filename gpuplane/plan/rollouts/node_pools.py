"""How Karpenter works through the nodes of a NodePool.

https://github.com/aws/karpenter-provider-aws/blob/v1.14.1/website/content/en/docs/concepts/disruption.md
"""

from collections.abc import Iterator
from typing import Any

from charts_py.objects.document import Document
from gpuplane.plan.fields import value_at
from gpuplane.plan.object_change import ClusterObjects, ObjectChange, seconds
from gpuplane.plan.pools import NODE_POOL, pools_of
from gpuplane.plan.rollout import Mechanism, Rollout

DEFAULT_BUDGET = "10%"
"""Of a NodePool that names no budget."""


def drift(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how the nodes of a NodePool drift, by the budgets that it has afterwards."""
    return node_pool_rollouts(change.document, Mechanism.DRIFT)


def node_pool_deletion(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how the nodes of a NodePool go with it: all of them, whatever its budgets say."""
    return node_pool_rollouts(change.document, Mechanism.POOL_DELETION)


def consolidation(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how the nodes of a NodePool are consolidated, by the budgets that it has then."""
    return node_pool_rollouts(change.document, Mechanism.CONSOLIDATION)


def node_pool_rollouts(node_pool: Document, mechanism: Mechanism) -> tuple[Rollout, ...]:
    """Return how a mechanism reaches the nodes of a NodePool; nothing where they are no pool's."""
    reason = {Mechanism.DRIFT: "Drifted", Mechanism.CONSOLIDATION: "Underutilized"}.get(mechanism)
    return tuple(
        Rollout(
            mechanism=mechanism,
            pool=pool.name,
            made_by=node_pool["metadata"]["name"],
            limits=budgets(node_pool, reason) if reason else (),
            nodes=most_nodes(node_pool),
            drain_seconds=seconds(
                value_at(node_pool, "spec", "template", "spec", "terminationGracePeriod")
            ),
        )
        for pool in pools_of(node_pool)
    )


def budgets(node_pool: Document, reason: str) -> tuple[str, ...]:
    """Return the budgets for a reason that hold at all times; one with a schedule does not."""
    stated = value_at(node_pool, "spec", "disruption", "budgets")
    if stated is None:
        return (DEFAULT_BUDGET,)
    return tuple(
        str(budget.get("nodes", DEFAULT_BUDGET))
        for budget in stated
        if not budget.get("schedule") and reason in budget.get("reasons", (reason,))
    )


def most_nodes(node_pool: Document) -> int | None:
    """Return how many nodes a NodePool has at most, as far as it says so."""
    stated: Any = value_at(node_pool, "spec", "replicas")
    if stated is None:
        stated = value_at(node_pool, "spec", "limits", "nodes")
    return int(stated) if str(stated).isdecimal() else None


def node_pools_of_class(cluster: ClusterObjects, name: str) -> Iterator[Document]:
    """Yield the NodePools whose nodes are of an EC2NodeClass."""
    for node_pool in cluster.of_kind(NODE_POOL):
        if value_at(node_pool, "spec", "template", "spec", "nodeClassRef", "name") == name:
            yield node_pool
