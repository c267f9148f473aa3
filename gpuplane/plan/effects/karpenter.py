"""What changes of Karpenter's NodePools and node classes do."""

from collections.abc import Iterable

from gpuplane.plan import sources
from gpuplane.plan.changes.amounts import is_lowered, is_raised, is_sooner
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.duration import seconds
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.changes.pools import NODE_POOL, pools_of
from gpuplane.plan.effect import Effect
from gpuplane.plan.effects.requirements import narrowed_keys
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Judge, Row
from gpuplane.plan.outage.rollout import Mechanism, Rollout
from gpuplane.plan.rollouts.node_pools import consolidation, deletion, drift, node_pool_rollouts
from gpuplane.plan.verdict import Verdict

_POOL = (NODE_POOL,)
_REQUIREMENTS = "spec.template.spec.requirements"
_DURATIONS = (("expireAfter",), ("terminationGracePeriod",))
_ANY_NODE = "WhenEmptyOrUnderutilized"


def _requirements(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
    old, new = (
        value_at(side, "spec", "template", "spec", "requirements") or () for side in change.sides
    )
    keys = sorted(set(narrowed_keys(old, new)))
    if keys:
        yield Effect(
            Verdict.DISRUPTIVE,
            _REQUIREMENTS,
            f"Nodes whose {_list(keys)} no longer fits drift, and are replaced within the budgets.",
            sources.KARPENTER_DRIFT,
            rollouts=drift(change),
        )
    else:
        yield Effect(
            Verdict.SAFE,
            _REQUIREMENTS,
            "Every node still fits, so none drifts; new nodes may be of other machines.",
            sources.KARPENTER_DRIFT,
        )


def _list(keys: list[str]) -> str:
    return " or ".join(keys)


def _removed_replicas(change: ObjectChange) -> tuple[Rollout, ...]:
    old, new = (value_at(side, "spec", "replicas") for side in change.sides)
    return tuple(
        Rollout(Mechanism.SCALE_IN, pool.name, change.placed.key.name, nodes=old - new)
        for pool in pools_of(change.document)
    )


def _consolidates_more(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether nodes with pods may be consolidated that were not so far, or not so soon."""
    if value_at(change.after, "spec", "replicas") is not None:
        return False
    policy = value_at(change.after, "spec", "disruption", "consolidationPolicy") or _ANY_NODE
    if policy != _ANY_NODE:
        return False
    return field.segments[-1] == "consolidationPolicy" or is_sooner(change, field)


def _is_hashed_alike(_: ObjectChange, field: ChangedField) -> bool:
    """Return whether only the order of a list, or how a duration is written, is another."""
    if field.segments[1:3] == ("template", "spec") and field.segments[3:] in _DURATIONS:
        old, new = seconds(field.old), seconds(field.new)
        return old is not None and old == new
    return field.is_order


def _begins_to_replace(change: ObjectChange) -> bool:
    """Return whether budgets let nodes be replaced that drifted, and none so far."""
    before, after = (
        node_pool_rollouts(side, Mechanism.DRIFT) if side else ()
        for side in (change.before, change.after)
    )
    return any(way.is_blocked for way in before) and not any(way.is_blocked for way in after)


def _has_no_slot(change: ObjectChange, _: ChangedField) -> bool:
    """Return whether a static NodePool has no room for a node in place of one that drifted."""
    replicas = value_at(change.after, "spec", "replicas")
    limit = value_at(change.after, "spec", "limits", "nodes")
    return replicas is not None and limit is not None and int(limit) <= replicas


ROWS: tuple[AnyRow, ...] = (
    Row(
        _POOL,
        Verdict.SAFE,
        "Karpenter makes nodes of it once pods need them.",
        sources.NODE_POOLS,
        changes=ADDED,
    ),
    Row(
        _POOL,
        Verdict.DISRUPTIVE,
        "All its nodes are drained and deleted at once: they belong to it, and no budget holds "
        "them. PodDisruptionBudgets do, up to terminationGracePeriod.",
        sources.DISRUPTION,
        changes=REMOVED,
        rollouts=deletion,
    ),
    Row(
        _POOL,
        Verdict.DISRUPTIVE,
        "Replicas go from {old} to {new}: nodes are deleted at once, empty ones first, and no "
        "budget holds them. PodDisruptionBudgets do.",
        sources.KARPENTER_STATIC,
        fields=("spec.replicas",),
        field_condition=is_lowered,
        rollouts=_removed_replicas,
    ),
    Row(
        _POOL,
        Verdict.SAFE,
        "Replicas go from {old} to {new}: nodes are added.",
        sources.KARPENTER_STATIC,
        fields=("spec.replicas",),
    ),
    Judge(_POOL, (_REQUIREMENTS,), _requirements),
    Row(
        _POOL,
        Verdict.SAFE,
        "No node drifts by it: the hash of the template is the same whatever the order of a list, "
        "and however a duration is written.",
        sources.KARPENTER_HASH,
        fields=("spec.template",),
        field_condition=_is_hashed_alike,
    ),
    Row(
        _POOL,
        Verdict.DISRUPTIVE,
        "It is part of the hash of the template: all nodes of the NodePool drift, and are replaced "
        "within the budgets.",
        sources.KARPENTER_HASH,
        fields=("spec.template",),
        rollouts=drift,
    ),
    Row(
        _POOL,
        Verdict.SAFE,
        "No node drifts by it. limits.nodes leaves no room beyond the replicas, so a node that "
        "drifts is never replaced.",
        sources.KARPENTER_STATIC_DRIFT,
        fields=("spec.limits",),
        field_condition=_has_no_slot,
    ),
    Row(
        _POOL,
        Verdict.SAFE,
        "Limits go from {old} to {new}: no node is removed, and none is added above them, not "
        "even in place of one that drifted.",
        sources.NODE_POOLS,
        fields=("spec.limits",),
        field_condition=is_lowered,
    ),
    Row(
        _POOL,
        Verdict.SAFE,
        "Limits go from {old} to {new}: the pool may have more nodes.",
        sources.NODE_POOLS,
        fields=("spec.limits",),
        field_condition=is_raised,
    ),
    Row(
        _POOL,
        Verdict.SAFE,
        "{old} and {new} are the same limit.",
        sources.NODE_POOLS,
        fields=("spec.limits",),
    ),
    Row(
        _POOL,
        Verdict.SAFE,
        "No node drifts by it: the next NodePool for a pod may be another one.",
        sources.NODE_POOLS,
        fields=("spec.weight",),
    ),
    Row(
        _POOL,
        Verdict.DISRUPTIVE,
        "No node drifts by it, but those that drifted while the budgets allowed none are replaced "
        "from now on.",
        sources.DISRUPTION,
        fields=("spec.disruption.budgets",),
        object_condition=_begins_to_replace,
        is_certain=False,
        rollouts=drift,
    ),
    Row(
        _POOL,
        Verdict.SAFE,
        "No node drifts by it: budgets bound how many nodes are replaced at once from now on.",
        sources.DISRUPTION,
        fields=("spec.disruption.budgets",),
    ),
    Row(
        _POOL,
        Verdict.DISRUPTIVE,
        "{old} becomes {new}: no node drifts, but running nodes may be consolidated at once, "
        "within the budgets.",
        sources.DISRUPTION,
        fields=("spec.disruption.consolidationPolicy", "spec.disruption.consolidateAfter"),
        field_condition=_consolidates_more,
        rollouts=consolidation,
    ),
    Row(
        _POOL,
        Verdict.SAFE,
        "{old} becomes {new}: no node with pods is consolidated that was not before.",
        sources.DISRUPTION,
        fields=("spec.disruption.consolidationPolicy", "spec.disruption.consolidateAfter"),
    ),
)
