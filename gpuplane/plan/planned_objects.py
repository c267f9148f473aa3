"""Finds the effects of each object that differs between two versions of a cluster."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace

from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.effects.table import rows
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.new_pools import new_pools, without_effects_on
from gpuplane.plan.object_change import NO_CONTEXT, ChangeContext, ClusterObjects, ObjectChange
from gpuplane.plan.pools import AKS_POOL, named_pools
from gpuplane.plan.pruning import Kept, Pruned, goes_with_namespace, is_taken_over_first, pruning
from gpuplane.plan.rule_answers import enforces
from gpuplane.plan.sources import source
from gpuplane.versions.comparison import PlacedDocuments, PlacedObject
from policies.rule_name import RuleName

_TEAM_PREFIX = "team-"
_WARM_PREFIX = "warm-"
_VERDICTS = {
    Change.ADDED: Verdict.ROLLING,
    Change.CHANGED: Verdict.ROLLING,
    Change.REMOVED: Verdict.DISRUPTIVE,
}
"""An unknown change is never safe: a controller usually answers a change by restarting pods, and
takes away what it made for an object that goes."""
_METADATA = "metadata."


def planned_objects(
    before: PlacedDocuments,
    after: PlacedDocuments,
    context: ChangeContext = NO_CONTEXT,
    counted: Collection[str] = (),
) -> tuple[PlannedObject, ...]:
    """Return the objects that differ, by place, each with what its change does.

    Both sides have all objects of a cluster, since what one does depends on others. An object that
    moves to another component is one that changes, at its new place. Pools that come have no nodes
    yet, unless somebody `counted` them.
    """
    cluster = ClusterObjects(before, after, context)
    origins = {
        new: old
        for old in before.keys() - after.keys()
        for new in cluster.places_afterwards.get(old.key, ())
        if new not in before
    }
    moved = set(origins.values())
    found = [
        planned
        for placed in sorted(before.keys() | after.keys())
        if placed not in moved
        and (planned := _planned(cluster, placed, origins.get(placed))) is not None
    ]
    new = (new_pools(before, after) | context.idle.pools).difference(counted)
    return tuple(without_effects_on(found, new) if new else found)


def upgraded_objects(
    documents: PlacedDocuments, upgrade: tuple[str, str]
) -> Iterator[PlannedObject]:
    """Yield the objects whose nodes are concerned by an upgrade of the control plane, by place."""
    cluster = ClusterObjects(documents, documents)
    for placed, document in sorted(documents.items(), key=lambda each: each[0]):
        change = ObjectChange(placed, document, document, cluster, upgrade)
        if row := next((row for row in rows() if row.is_about(change)), None):
            effects = tuple(map(_within_limits, row.effects(change, ())))
            yield PlannedObject(placed, change.change, effects, _pools(change, effects))


def _planned(
    cluster: ClusterObjects, placed: PlacedObject, origin: PlacedObject | None
) -> PlannedObject | None:
    """Return None where nothing becomes of the object."""
    source = origin or placed
    change = ObjectChange(placed, cluster.before.get(source), cluster.after.get(placed), cluster)
    is_held = False
    if origin is not None:
        moving, is_held = _move(cluster, origin, placed)
        effects = (*moving, *_effects_of(change))
    elif change.change is Change.REMOVED:
        effects, is_held = _removal(change)
    else:
        effects = _effects_of(change)
    if not effects:
        return None
    team = placed.component.removeprefix(_TEAM_PREFIX)
    return PlannedObject(
        placed=placed,
        change=change.change,
        effects=tuple(sorted(effects, key=lambda each: -each.verdict)),
        pools=_pools(change, effects),
        team=team if placed.component.startswith(_TEAM_PREFIX) else None,
        is_held=is_held,
        is_implied=_is_implied(change, effects),
    )


def _is_implied(change: ObjectChange, effects: tuple[Effect, ...]) -> bool:
    is_more = any(each.verdict >= Verdict.DANGEROUS or each.rollouts for each in effects)
    is_pruned = change.change is Change.REMOVED and isinstance(pruning(change), Pruned)
    return is_pruned and not is_more and goes_with_namespace(change)


def _effects_of(change: ObjectChange) -> tuple[Effect, ...]:
    """Return what the table says of a change, whoever applies it."""
    if change.change is Change.CHANGED and not change.fields:
        return ()
    asked = [row for row in rows() if row.is_about(change)]
    if change.change is not Change.CHANGED:
        whole = next((row for row in asked if not row.fields), None)
        return tuple(whole.effects(change, ())) if whole else (unknown(change, ""),)
    # The first row that covers a field says what its change does.
    covered = defaultdict[int, list[ChangedField]](list)
    unknown_fields = []
    for field in change.fields:
        covering = (number for number, row in enumerate(asked) if row.covers(change, field))
        if (number := next(covering, None)) is None:
            unknown_fields.append(field)
        else:
            covered[number].append(field)
    effects = (
        *(
            effect
            for number, found in covered.items()
            for effect in asked[number].effects(change, tuple(found))
        ),
        *(unknown(change, field.path) for field in unknown_fields),
    )
    refusal = next((each for each in effects if each.verdict is Verdict.IMMUTABLE), None)
    if refusal is not None:
        effects = tuple(_refused_with(change, refusal, effects))
    return tuple(map(_within_limits, effects))


def unknown(change: ObjectChange, field: str) -> Effect:
    what = f"this field of {change.kind}" if field else f"objects of the kind {change.kind}"
    return Effect(
        _VERDICTS[change.change],
        field,
        f"Not known: gpuplane has no facts about {what}. Read what its controller does with it.",
        source="",
        is_certain=False,
        is_known=False,
    )


def _refused_with(
    change: ObjectChange, refusal: Effect, effects: tuple[Effect, ...]
) -> Iterator[Effect]:
    """Yield the effects of an update that is refused: the API server takes no field of it.

    Labels and annotations are left as they are: Argo CD reads its own of them in git.
    """
    is_aks = change.is_any((AKS_POOL,))
    why = source("service_operator_put") if is_aks else refusal.source
    for each in effects:
        if each.verdict is Verdict.IMMUTABLE or each.field.startswith(_METADATA):
            yield each
            continue
        yield Effect(
            Verdict.SAFE,
            each.field,
            f"It stays as it was, too: the update is refused as a whole, for {refusal.field}.",
            why,
            is_certain=refusal.is_certain and not is_aks,
        )


def _within_limits(effect: Effect) -> Effect:
    """Make an effect safe where nodes have to be replaced and no limit allows even one."""
    ways = effect.rollouts
    if not ways or not all(way.mechanism.replaces_first and way.is_blocked for way in ways):
        return effect
    blocked = "For now, none is replaced: the budgets allow 0 nodes at once."
    return replace(effect, verdict=Verdict.SAFE, reason=f"{effect.reason} {blocked}")


def _removal(change: ObjectChange) -> tuple[tuple[Effect, ...], bool]:
    """Return the effects of a removal, and whether Argo CD waits with it."""
    fate = pruning(change)
    if isinstance(fate, Kept):
        return (Effect(Verdict.SAFE, "", fate.reason, fate.source),), False
    effects = tuple(_in_namespace(change, each) for each in _effects_of(change))
    if fate.held_by is None:
        return effects, False
    held = (
        "Argo CD waits with it, and with all else of its Application, until somebody confirms it "
        f"({fate.held_by}).{_unguarded(change)}"
    )
    return tuple(replace(each, reason=f"{each.reason} {held}") for each in effects), True


def _unguarded(change: ObjectChange) -> str:
    """Say what no longer guards the pods of a namespace that waits, unlike quotas within it."""
    before, after = change.cluster.context.settings
    name, rule = change.placed.key.name, RuleName.GRANTED_POOLS
    if change.kind != "Namespace" or before is None or after is None:
        return ""
    is_guarded = name in before.namespaces and enforces(rule, before, name)
    if not is_guarded or name in after.namespaces:
        return ""
    return " Meanwhile no rule keeps its pods to the pools of its quotas."


def _in_namespace(change: ObjectChange, effect: Effect) -> Effect:
    """Return that the object goes with its namespace, where its removal disturbs nothing else."""
    if effect.verdict > Verdict.DEFERRED or not goes_with_namespace(change):
        return effect
    reason = f"It goes with its namespace {change.placed.key.namespace}."
    where = source("docs_namespaces")
    return replace(effect, verdict=Verdict.SAFE, reason=reason, source=where, is_certain=True)


def _move(
    cluster: ClusterObjects, old: PlacedObject, new: PlacedObject
) -> tuple[tuple[Effect, ...], bool]:
    """Return the effects of the prune that may happen, and whether Argo CD waits with it."""
    if is_taken_over_first(cluster, old.component, new.component):
        danger = (
            f"It moves from {old.component} to {new.component}: the Applications of both apply it "
            f"by turns until that of {old.component} gives it up, and Argo CD prunes it if that "
            "one was the last to do so."
        )
    else:
        danger = (
            f"It moves from {old.component} to {new.component}, which is synced no earlier: Argo "
            "CD may prune it before it is taken over."
        )
    removed = ObjectChange(old, cluster.before[old], None, cluster)
    effects, is_held = _removal(removed)
    if is_held:
        danger = f"{danger} Confirm no prune before {new.component} has it."
    moving = (replace(each, reason=f"{danger} {each.reason}", is_certain=False) for each in effects)
    return tuple(moving), is_held


def _pools(change: ObjectChange, effects: tuple[Effect, ...]) -> tuple[str, ...]:
    name = change.placed.key.name.removeprefix(_WARM_PREFIX)
    return tuple(
        sorted(
            set(change.pools)
            | set(named_pools(list(change.sides)))
            | {way.pool for effect in effects for way in effect.rollouts}
            | {pool for effect in effects for pool in effect.pools}
            | ({name} & change.cluster.pools.keys())
        )
    )
