"""What changes of Karpenter's NodePools and node classes do."""

from collections.abc import Iterable

from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.requirements import narrowed_keys
from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange, is_sooner, seconds
from gpuplane.plan.pools import pools_of
from gpuplane.plan.rollout import Mechanism, Rollout
from gpuplane.plan.rollouts.node_pools import drift, node_pool_rollouts
from gpuplane.plan.sources import source

_REQUIREMENTS = "spec.template.spec.requirements"
_DURATIONS = (("expireAfter",), ("terminationGracePeriod",))
_ANY_NODE = "WhenEmptyOrUnderutilized"


def requirements(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
    old, new = (
        value_at(side, "spec", "template", "spec", "requirements") or () for side in change.sides
    )
    keys = sorted(set(narrowed_keys(old, new)))
    if keys:
        yield Effect(
            Verdict.DISRUPTIVE,
            _REQUIREMENTS,
            f"Nodes whose {_list(keys)} no longer fits drift, and are replaced within the budgets.",
            source("karpenter_drift"),
            rollouts=drift(change),
        )
    else:
        yield Effect(
            Verdict.SAFE,
            _REQUIREMENTS,
            "Every node still fits, so none drifts; new nodes may be of other machines.",
            source("karpenter_drift"),
        )


def _list(keys: list[str]) -> str:
    return " or ".join(keys)


def removed_replicas(change: ObjectChange) -> tuple[Rollout, ...]:
    old, new = (value_at(side, "spec", "replicas") for side in change.sides)
    return tuple(
        Rollout(Mechanism.SCALE_IN, pool.name, change.placed.key.name, nodes=old - new)
        for pool in pools_of(change.document)
    )


def consolidates_more(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether nodes with pods may be consolidated that were not so far, or not so soon."""
    if value_at(change.after, "spec", "replicas") is not None:
        return False
    policy = value_at(change.after, "spec", "disruption", "consolidationPolicy") or _ANY_NODE
    if policy != _ANY_NODE:
        return False
    return field.segments[-1] == "consolidationPolicy" or is_sooner(change, field)


def is_hashed_alike(_: ObjectChange, field: ChangedField) -> bool:
    """Return whether only the order of a list, or how a duration is written, is another."""
    if field.segments[1:3] == ("template", "spec") and field.segments[3:] in _DURATIONS:
        old, new = seconds(field.old), seconds(field.new)
        return old is not None and old == new
    return field.is_order


def begins_to_replace_drifted(change: ObjectChange) -> bool:
    """Return whether budgets let nodes be replaced that drifted, and none so far."""
    before, after = (
        node_pool_rollouts(side, Mechanism.DRIFT) if side else ()
        for side in (change.before, change.after)
    )
    return any(way.is_blocked for way in before) and not any(way.is_blocked for way in after)


def has_no_slot(change: ObjectChange, _: ChangedField) -> bool:
    """Return whether a static NodePool has no room for a node in place of one that drifted."""
    replicas = value_at(change.after, "spec", "replicas")
    limit = value_at(change.after, "spec", "limits", "nodes")
    return replicas is not None and limit is not None and int(limit) <= replicas
