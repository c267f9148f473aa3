"""What changes of Karpenter's node classes and overlays do, and of nodes that are kept warm."""

from collections.abc import Callable, Iterable

from gpuplane.plan import sources
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.changes.pools import NODE_CLASS, NODE_OVERLAY, NODE_POOL, named_pools, pools_of
from gpuplane.plan.effect import Effect
from gpuplane.plan.effects.row import ADDED, CHANGED, REMOVED, AnyRow, Judge, Row
from gpuplane.plan.outage.rollout import Mechanism, Rollout
from gpuplane.plan.rollouts.node_pools import node_pool_rollouts, node_pools_of_class
from gpuplane.plan.verdict import Verdict

_CLASS = (NODE_CLASS,)
_OVERLAY = (NODE_OVERLAY,)
_WARM = ("CapacityBuffer.autoscaling.x-k8s.io", "PodTemplate")
_RESERVATIONS = "spec.capacityReservationSelectorTerms"
_ALTERNATIVES = ("spec.subnetSelectorTerms", _RESERVATIONS)
"""Terms of which a node needs to match one: a further one takes nothing away."""


def _drift_of_class(change: ObjectChange) -> tuple[Rollout, ...]:
    return tuple(
        way
        for node_pool in node_pools_of_class(change.cluster, change.placed.key.name)
        for way in node_pool_rollouts(node_pool, Mechanism.DRIFT)
    )


def _only_gains_terms(change: ObjectChange, field: ChangedField) -> bool:
    old, new = (value_at(side, *field.segments[:2]) or () for side in change.sides)
    return all(term in new for term in old)


def _is_used(change: ObjectChange) -> bool:
    after = change.cluster.after
    name = change.placed.key.name
    return any(
        value_at(document, "spec", "template", "spec", "nodeClassRef", "name") == name
        for placed, document in after.items()
        if placed.key.kind == "NodePool"
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


def _overlay(done: str) -> Callable[[ObjectChange, tuple[ChangedField, ...]], Iterable[Effect]]:
    """Return what judges an overlay, of which this was done."""

    def judge(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
        ways = _consolidated(change)
        after = (
            "the next consolidation may replace running ones"
            if ways
            else "running ones stay, since only empty ones are consolidated"
        )
        yield Effect(
            Verdict.DISRUPTIVE if ways else Verdict.SAFE,
            "" if change.before is None or change.after is None else "spec",
            f"What Karpenter expects of machines {done}: no node drifts, and {after}.",
            sources.NODE_OVERLAYS,
            rollouts=ways,
        )

    return judge


ROWS: tuple[AnyRow, ...] = (
    Row(
        _CLASS,
        Verdict.SAFE,
        "NodePools may refer to it from now on.",
        sources.NODE_CLASSES,
        changes=ADDED,
    ),
    Row(
        _CLASS,
        Verdict.SAFE,
        "Nodes still need it: its finalizer waits for them, and the prune hangs as long.",
        sources.NODE_CLASSES,
        changes=REMOVED,
        object_condition=_is_used,
    ),
    Row(
        _CLASS,
        Verdict.SAFE,
        "It goes once the nodes of its NodePools are gone: its finalizer waits for them.",
        sources.NODE_CLASSES,
        changes=REMOVED,
    ),
    Row(
        _CLASS,
        Verdict.SAFE,
        "Nodes keep what they have: a further term only adds to what is allowed.",
        sources.NODE_CLASS_DRIFT,
        fields=_ALTERNATIVES,
        field_condition=_only_gains_terms,
    ),
    Row(
        _CLASS,
        Verdict.DISRUPTIVE,
        "Nodes whose reservation the terms no longer select drift, and are replaced within the "
        "budgets of their NodePools: {old} becomes {new}. A reservation is for one instance type "
        "in one zone: where it is not the NodePools', no reserved node starts in it, and those "
        "that drift stay.",
        sources.RESERVATIONS,
        fields=(_RESERVATIONS,),
        is_certain=False,
        rollouts=_drift_of_class,
    ),
    Row(
        _CLASS,
        Verdict.DISRUPTIVE,
        "Nodes whose subnet the terms no longer select drift, and are replaced within the budgets "
        "of their NodePools.",
        sources.NODE_CLASS_DRIFT,
        fields=_ALTERNATIVES,
        rollouts=_drift_of_class,
    ),
    Row(
        _CLASS,
        Verdict.DISRUPTIVE,
        "Nodes whose security groups are not just what the terms now select drift, and are "
        "replaced within the budgets of their NodePools.",
        sources.NODE_CLASS_DRIFT,
        fields=("spec.securityGroupSelectorTerms",),
        rollouts=_drift_of_class,
    ),
    Row(
        _CLASS,
        Verdict.DISRUPTIVE,
        "Nodes with another machine image than the terms now select drift, and are replaced within "
        "the budgets of their NodePools: {old} becomes {new}.",
        sources.NODE_CLASS_DRIFT,
        fields=("spec.amiSelectorTerms",),
        rollouts=_drift_of_class,
    ),
    Row(
        _CLASS,
        Verdict.SAFE,
        "It is not part of the hash of the node class: new nodes alone have it.",
        sources.NODE_CLASS_HASH,
        fields=("spec.ipPrefixCount",),
    ),
    Row(
        _CLASS,
        Verdict.DISRUPTIVE,
        "It is part of the hash of the node class: all nodes of its NodePools drift, and are "
        "replaced within their budgets.",
        sources.NODE_CLASS_HASH,
        fields=("spec",),
        rollouts=_drift_of_class,
    ),
    Judge(_OVERLAY, ("spec",), _overlay("changes"), changes=CHANGED),
    Judge(_OVERLAY, (), _overlay("is new"), changes=ADDED),
    Judge(_OVERLAY, (), _overlay("is gone"), changes=REMOVED),
    Row(
        _WARM,
        Verdict.SAFE,
        "Nodes are kept warm for pods to come: {name} takes none from any pod.",
        sources.CLUSTER_AUTOSCALER,
        changes=ADDED,
    ),
    Row(
        _WARM,
        Verdict.SAFE,
        "Spare nodes without pods may go: {name} kept them warm.",
        sources.CLUSTER_AUTOSCALER,
        changes=REMOVED,
    ),
    Row(
        _WARM,
        Verdict.SAFE,
        "More or fewer spare nodes are kept warm: no workload runs in the buffer.",
        sources.CLUSTER_AUTOSCALER,
        fields=("spec", "template"),
    ),
)
