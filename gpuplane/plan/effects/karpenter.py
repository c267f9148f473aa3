"""How Karpenter works through nodes, and what changes of its NodePools and node classes do.

https://github.com/aws/karpenter-provider-aws/blob/v1.14.1/website/content/en/docs/concepts/disruption.md
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import Any, TypeAlias

from charts_py.objects.document import Document
from gpuplane.plan.effect import Change, Effect, Verdict
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange, seconds
from gpuplane.plan.pools import NODE_POOL, named_pools, pools_of
from gpuplane.plan.rollout import Mechanism, Rollout
from gpuplane.plan.sources import source
from policies.document import value_at

_DEFAULT_BUDGET = "10%"
_DONE = {Change.ADDED: "is new", Change.CHANGED: "changes", Change.REMOVED: "is gone"}
Requirement: TypeAlias = Mapping[str, Any]
"""Has `key`, `operator` and `values`, as in a NodePool."""
_REQUIREMENTS = "spec.template.spec.requirements"
_DURATIONS = (("expireAfter",), ("terminationGracePeriod",))
_ANY_NODE = "WhenEmptyOrUnderutilized"
_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {"Gt": gt, "Gte": ge, "Lt": lt, "Lte": le}


def requirements(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    old, new = (
        value_at(side, ("spec", "template", "spec", "requirements")) or () for side in change.sides
    )
    keys = sorted(set(narrowed_keys(old, new)))
    if keys:
        yield Effect(
            Verdict.DISRUPTIVE,
            _REQUIREMENTS,
            f"Nodes whose {' or '.join(keys)} no longer fits drift, and are replaced within the "
            "budgets.",
            source("karpenter_drift"),
            rollouts=drift(change),
        )
    else:
        yield Effect(
            Verdict.SAFE,
            _REQUIREMENTS,
            "Every node still fits, so none drifts: the change is for new nodes.",
            source("karpenter_drift"),
        )


def narrowed_keys(old: Sequence[Requirement], new: Sequence[Requirement]) -> Iterator[str]:
    """Yield the labels by which nodes that fit the old requirements may not fit the new ones."""
    for wanted in new:
        same_label = [held for held in old if held["key"] == wanted["key"]]
        if not any(_implies(held, wanted) for held in same_label):
            yield wanted["key"]


def _implies(held: Requirement, wanted: Requirement) -> bool:
    """Say whether one requirement allows all values that the other one allows."""
    values = set(held.get("values", ()))
    allowed = set(wanted.get("values", ()))
    match held["operator"], wanted["operator"]:
        case "In", "In":
            return values <= allowed
        case "In", "NotIn":
            return not values & allowed
        case "NotIn", "NotIn":
            return values >= allowed
        case "In", ("Gt" | "Gte" | "Lt" | "Lte" as operator):
            is_within, bound = _COMPARISONS[operator], int(min(allowed))
            return all(value.isdecimal() and is_within(int(value), bound) for value in values)
        case ("Gt", "Gt") | ("Gte", "Gte"):
            return int(min(values)) >= int(min(allowed))
        case ("Lt", "Lt") | ("Lte", "Lte"):
            return int(min(values)) <= int(min(allowed))
        case (("In" | "Exists" | "Gt" | "Gte" | "Lt" | "Lte"), "Exists"):
            return True
        case "DoesNotExist", ("DoesNotExist" | "NotIn"):
            return True
    return False


def consolidates_more(change: ObjectChange, field: ChangedField) -> bool:
    """Say whether nodes with pods may be consolidated that were not so far, or not so soon."""
    if value_at(change.after, ("spec", "replicas")) is not None:
        return False
    policy = value_at(change.after, ("spec", "disruption", "consolidationPolicy")) or _ANY_NODE
    if policy != _ANY_NODE:
        return False
    # `Never`, and none, are the longest durations.
    old, new = seconds(field.old), seconds(field.new)
    is_sooner = new is not None and (old is None or new < old)
    return field.segments[-1] == "consolidationPolicy" or is_sooner


def is_hashed_alike(_: ObjectChange, field: ChangedField) -> bool:
    """Say whether only the order of a list, or how a duration is written, is another."""
    if field.segments[1:3] == ("template", "spec") and field.segments[3:] in _DURATIONS:
        old, new = seconds(field.old), seconds(field.new)
        return old is not None and old == new
    return field.is_order


def begins_to_replace_drifted(change: ObjectChange) -> bool:
    before, after = (
        _node_pool_rollouts(side, Mechanism.DRIFT) if side else ()
        for side in (change.before, change.after)
    )
    return any(way.is_blocked for way in before) and not any(way.is_blocked for way in after)


def has_no_slot(change: ObjectChange, _: ChangedField) -> bool:
    """Say whether a static NodePool has no room for a node in place of one that drifted."""
    replicas = value_at(change.after, ("spec", "replicas"))
    limit = value_at(change.after, ("spec", "limits", "nodes"))
    return replicas is not None and limit is not None and int(limit) <= replicas


def drift(change: ObjectChange) -> tuple[Rollout, ...]:
    """Let the nodes of a NodePool drift, by the budgets that it has afterwards."""
    return _node_pool_rollouts(change.document, Mechanism.DRIFT)


def node_pool_deletion(change: ObjectChange) -> tuple[Rollout, ...]:
    """Delete all nodes of a NodePool with it, whatever its budgets say."""
    return _node_pool_rollouts(change.document, Mechanism.POOL_DELETION)


def removed_replicas(change: ObjectChange) -> tuple[Rollout, ...]:
    old, new = (value_at(side, ("spec", "replicas")) for side in change.sides)
    return tuple(
        Rollout(Mechanism.SCALE_IN, pool.name, change.placed.key.name, nodes=old - new)
        for pool in pools_of(NODE_POOL, change.document)
    )


def consolidation(change: ObjectChange) -> tuple[Rollout, ...]:
    return _node_pool_rollouts(change.document, Mechanism.CONSOLIDATION)


def _node_pool_rollouts(node_pool: Document, mechanism: Mechanism) -> tuple[Rollout, ...]:
    """Return how a mechanism reaches the nodes of a NodePool; nothing where it is of no pool."""
    reason = {Mechanism.DRIFT: "Drifted", Mechanism.CONSOLIDATION: "Underutilized"}.get(mechanism)
    return tuple(
        Rollout(
            mechanism=mechanism,
            pool=pool.name,
            made_by=node_pool["metadata"]["name"],
            limits=_budgets(node_pool, reason) if reason else (),
            nodes=_most_nodes(node_pool),
            drain_seconds=seconds(
                value_at(node_pool, ("spec", "template", "spec", "terminationGracePeriod"))
            ),
            # A static NodePool replaces its nodes whatever runs there.
            needs_room=mechanism.replaces_first
            and value_at(node_pool, ("spec", "replicas")) is None,
        )
        for pool in pools_of(NODE_POOL, node_pool)
    )


def _budgets(node_pool: Document, reason: str) -> tuple[str, ...]:
    """Return the budgets for a reason that hold at all times; one with a schedule does not."""
    stated = value_at(node_pool, ("spec", "disruption", "budgets"))
    if stated is None:
        return (_DEFAULT_BUDGET,)
    return tuple(
        str(budget.get("nodes", _DEFAULT_BUDGET))
        for budget in stated
        if not budget.get("schedule") and reason in budget.get("reasons", (reason,))
    )


def _most_nodes(node_pool: Document) -> int | None:
    stated: Any = value_at(node_pool, ("spec", "replicas"))
    if stated is None:
        stated = value_at(node_pool, ("spec", "limits", "nodes"))
    return int(stated) if str(stated).isdecimal() else None


def drift_of_class(change: ObjectChange) -> tuple[Rollout, ...]:
    return tuple(
        way
        for node_pool in change.cluster.of_kind(NODE_POOL)
        if _is_of_class(node_pool, change.placed.key.name)
        for way in _node_pool_rollouts(node_pool, Mechanism.DRIFT)
    )


def selects_alias(change: ObjectChange) -> bool:
    """Say whether Karpenter finds the image by the version of the control plane."""
    terms = value_at(change.document, ("spec", "amiSelectorTerms")) or ()
    return any("alias" in term for term in terms)


def only_gains_terms(change: ObjectChange, field: ChangedField) -> bool:
    old, new = (value_at(side, field.segments[:2]) or () for side in change.sides)
    return all(term in new for term in old)


def is_used(change: ObjectChange) -> bool:
    return any(
        _is_of_class(document, change.placed.key.name)
        for placed, document in change.cluster.after.items()
        if placed.key.kind == "NodePool"
    )


def _is_of_class(node_pool: Document, name: str) -> bool:
    return bool(value_at(node_pool, ("spec", "template", "spec", "nodeClassRef", "name")) == name)


def overlay(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    pools = set(named_pools(list(change.sides)))
    ways = tuple(
        way
        for node_pool in change.cluster.of_kind(NODE_POOL)
        if any(pool.name in pools for pool in pools_of(NODE_POOL, node_pool))
        # Nodes with pods are consolidated, too.
        and value_at(node_pool, ("spec", "disruption", "consolidationPolicy")) != "WhenEmpty"
        and value_at(node_pool, ("spec", "replicas")) is None
        for way in _node_pool_rollouts(node_pool, Mechanism.CONSOLIDATION)
    )
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
