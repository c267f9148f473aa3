"""Judges changes of queues: of Kueue, with MultiKueue, and of KAI Scheduler and Volcano."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.fields import Absent
from charts_py.platform.platform_namespaces import TEAM_NAMESPACES
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField, kind_of
from gpuplane.plan.object_change import ObjectChange, is_less, namespaces_of
from gpuplane.plan.sources import source
from gpuplane.versions.comparison import PlacedDocuments
from policies.document import few, members, value_at

_CONTROLLER = "kueue.x-k8s.io/multikueue"
_UNBOUNDED = -1
"""A quota or limit of KAI that bounds nothing has this value."""
_GROUP = "kueue.x-k8s.io"
_CLUSTER_QUEUE, _COHORT = f"ClusterQueue.{_GROUP}", f"Cohort.{_GROUP}"
_GROUPS, _NOMINAL = "spec.resourceGroups", "nominalQuota"
_PREEMPTION = ("Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any")
"""Policies of preemption, from no victims, the default, to all."""


def resource_groups(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    old, new = (_amounts(side) for side in change.sides)
    lost = sorted({key[:2] for key in old} - {key[:2] for key in new})
    for flavor, resource in lost:
        preempted = _preempted(change, [(flavor, resource)])
        yield _quota_effect(
            f"{resource} of the flavor {flavor} is gone: what is admitted runs on",
            preempted,
            ", and nothing new is admitted there.",
        )
    lowered = sorted(
        key[:2]
        for key in old.keys() & new.keys()
        if key[2] == _NOMINAL and is_less(new[key], old[key])
    )
    if lowered:
        preempted = _preempted(change, lowered)
        yield _quota_effect(
            "Quota is lowered: what is admitted runs on, even above it", preempted, "."
        )
    if not lost and not lowered:
        less = any(
            is_less(new.get(key, Absent.ABSENT), old.get(key, Absent.ABSENT))
            for key in old.keys() | new.keys()
            if key[2] != _NOMINAL and key[:2] in {each[:2] for each in old}
        )
        yield Effect(
            Verdict.SAFE,
            _GROUPS,
            "No quota is lowered: what is admitted runs on, and "
            f"{'less may be borrowed from now on' if less else 'more may be'}.",
            source("kueue_cluster_queue"),
        )


def _amounts(document: object) -> dict[tuple[str, str, str], object]:
    """Return the amounts of a queue by flavor, resource and name, as `nominalQuota`."""
    return {
        (flavor["name"], resource["name"], name): amount
        for group in value_at(document, ("spec", "resourceGroups")) or ()
        for flavor in group.get("flavors", ())
        for resource in flavor.get("resources", ())
        for name, amount in resource.items()
        if name != "name"
    }


def _quota_effect(what: str, preempted: Sequence[str], end: str) -> Effect:
    verdict = Verdict.DISRUPTIVE if preempted else Verdict.DEFERRED
    until = f" until another queue of the cohort preempts it on {few(preempted)}"
    reason = f"{what}{until if preempted else ''}{end}"
    told = (
        f"jobs that hold more than their quota of {few(preempted)} can be preempted on {{clusters}}"
    )
    return Effect(
        verdict,
        _GROUPS,
        reason,
        source("kueue_preemption"),
        is_certain=False,
        asks_nobody=True,
        told=told if preempted else "",
    )


def _preempted(change: ObjectChange, lowered: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the flavors of which another queue reclaims what a queue holds above its quota."""
    reclaimed = {
        key[:2]
        for queue in _others_of_cohort(change)
        if value_at(queue, ("spec", "preemption", "reclaimWithinCohort")) not in (None, "Never")
        for key in _amounts(queue)
    }
    return tuple(dict.fromkeys(key[0] for key in lowered if key in reclaimed))


def _others_of_cohort(change: ObjectChange) -> Iterator[Document]:
    """Yield the other queues, as they are afterwards, that a queue shares quota with."""
    root = _root(change, change.document)
    for queue in _queues(change.cluster.after):
        is_other = queue["metadata"]["name"] != change.placed.key.name
        if root and is_other and _root(change, queue) == root:
            yield queue


def _root(change: ObjectChange, queue: Document) -> str | None:
    """Return the cohort without a parent that holds that of a queue; None where it has none."""
    parents = {
        placed.key.name: value_at(document, ("spec", "parentName"))
        for placed, document in change.cluster.after.items()
        if kind_of(placed.key) == _COHORT
    }
    cohort, seen = _cohort(queue), set[str]()
    # A cycle of parents has no end.
    while cohort and cohort not in seen and (parent := parents.get(cohort)):
        seen.add(cohort)
        cohort = parent
    return cohort


def _cohort(queue: Document) -> str | None:
    spec = members(queue.get("spec"))
    named: str | None = spec.get("cohortName") or spec.get("cohort")
    return named


def preempts_more(change: ObjectChange, field: ChangedField) -> bool:
    """Say whether waiting jobs of a queue may preempt running ones that were safe from them."""
    if field.segments[-1] != "withinClusterQueue" and not _shares_flavor(change):
        return False
    before, after = (
        _PREEMPTION.index(value) if value in _PREEMPTION else 0 for value in (field.old, field.new)
    )
    return after > before


def _shares_flavor(change: ObjectChange) -> bool:
    own = {key[:2] for key in _amounts(change.document)}
    others = (key[:2] for queue in _others_of_cohort(change) for key in _amounts(queue))
    return not own.isdisjoint(others)


def holds_what_runs(change: ObjectChange) -> bool:
    """Say whether queues come to a namespace of a team that was there before."""
    teams = namespaces_of(change.cluster.after, TEAM_NAMESPACES)
    return not teams.isdisjoint(change.cluster.namespaces_before)


def go_all(change: ObjectChange) -> bool:
    """Say whether no ClusterQueue is left, as where queues are switched off."""
    before, after = (_queues(side) for side in (change.cluster.before, change.cluster.after))
    return any(before) and not any(after)


def is_unused_flavor(change: ObjectChange) -> bool:
    queues = tuple(_queues(change.cluster.after))
    name = change.placed.key.name
    return bool(queues) and all(name != flavor for each in queues for flavor, *_ in _amounts(each))


def _queues(documents: PlacedDocuments) -> Iterator[Document]:
    for placed, document in documents.items():
        if kind_of(placed.key) == _CLUSTER_QUEUE:
            yield document


def is_unreferenced(change: ObjectChange) -> bool:
    """Say whether it is Kueue's, and no object of Kueue that stays names it anywhere."""
    specs = (
        document.get("spec")
        for placed, document in change.cluster.after.items()
        if placed.key.group == _GROUP
    )
    key = change.placed.key
    return key.group == _GROUP and all(key.name not in _strings(spec) for spec in specs)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def is_in_topology(change: ObjectChange, _: ChangedField) -> bool:
    return value_at(change.before, ("spec", "topologyName")) is not None


def dispatches(change: ObjectChange) -> bool:
    return bool(value_at(change.before, ("spec", "controllerName")) == _CONTROLLER)


def is_left_out(change: ObjectChange) -> bool:
    """Say whether a configuration stays that sends jobs elsewhere, and no longer here."""
    left = [
        value_at(document, ("spec", "clusters")) or ()
        for placed, document in change.cluster.after.items()
        if placed.key.kind == "MultiKueueConfig"
    ]
    return bool(left) and all(change.placed.key.name not in clusters for clusters in left)


def loses_a_worker(_: ObjectChange, field: ChangedField) -> bool:
    old, new = ([] if isinstance(each, str) else each for each in (field.old, field.new))
    return not set(old) <= set(new)


def has_less(_: ObjectChange, field: ChangedField) -> bool:
    return is_less(_bounded(field.new), _bounded(field.old))


def has_more(_: ObjectChange, field: ChangedField) -> bool:
    return is_less(_bounded(field.old), _bounded(field.new))


def is_reclaimed(change: ObjectChange, field: ChangedField) -> bool:
    """Say whether a queue has less quota, so that other queues reclaim what it holds above.

    A queue of Volcano can forbid that; one of KAI cannot.
    """
    is_reclaimable = value_at(change.document, ("spec", "reclaimable")) is not False
    return is_reclaimable and has_less(change, field)


def _bounded(amount: Any) -> Any:
    return Absent.ABSENT if amount == _UNBOUNDED else amount
