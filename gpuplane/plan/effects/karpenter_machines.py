"""What changes of Karpenter's node classes and overlays do, and of nodes that are kept warm."""

from collections.abc import Iterable

from gpuplane.plan.effect import Change, Effect, Verdict
from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.pools import NODE_POOL, named_pools, pools_of
from gpuplane.plan.rollout import Mechanism, Rollout
from gpuplane.plan.rollouts.node_pools import node_pool_rollouts, node_pools_of_class
from gpuplane.plan.sources import source


def drift_of_class(change: ObjectChange) -> tuple[Rollout, ...]:
    return tuple(
        way
        for node_pool in node_pools_of_class(change.cluster, change.placed.key.name)
        for way in node_pool_rollouts(node_pool, Mechanism.DRIFT)
    )


def only_gains_terms(change: ObjectChange, field: ChangedField) -> bool:
    old, new = (value_at(side, *field.segments[:2]) or () for side in change.sides)
    return all(term in new for term in old)


def is_used(change: ObjectChange) -> bool:
    after = change.cluster.after
    name = change.placed.key.name
    return any(
        value_at(document, "spec", "template", "spec", "nodeClassRef", "name") == name
        for placed, document in after.items()
        if placed.key.kind == "NodePool"
    )


_DONE = {Change.ADDED: "is new", Change.CHANGED: "changes", Change.REMOVED: "is gone"}


def overlay(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
    ways = _consolidated(change)
    after = (
        "the next consolidation may replace running ones"
        if ways
        else "running ones stay, since only empty ones are consolidated"
    )
    yield Effect(
        Verdict.DISRUPTIVE if ways else Verdict.SAFE,
        "spec" if change.change is Change.CHANGED else "",
        f"What Karpenter expects of machines {_DONE[change.change]}: no node drifts, and {after}.",
        source("node_overlays"),
        rollouts=ways,
    )


def _consolidated(change: ObjectChange) -> tuple[Rollout, ...]:
    pools = set(named_pools(list(change.sides)))
    return tuple(
        way
        for node_pool in change.cluster.of_kind(NODE_POOL)
        if any(pool.name in pools for pool in pools_of(node_pool))
        and _consolidates_nodes_with_pods(node_pool)
        for way in node_pool_rollouts(node_pool, Mechanism.CONSOLIDATION)
    )


def _consolidates_nodes_with_pods(node_pool: dict[str, object]) -> bool:
    policy = value_at(node_pool, "spec", "disruption", "consolidationPolicy")
    is_static = value_at(node_pool, "spec", "replicas") is not None
    return policy != "WhenEmpty" and not is_static
