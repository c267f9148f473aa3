"""What changes of Kueue's queues do."""

from collections.abc import Iterable, Iterator

from charts_py.objects.document import Document
from charts_py.objects.fields import Absent
from gpuplane.plan import sources
from gpuplane.plan.changes.amounts import is_lowered
from gpuplane.plan.changes.document_values import kind_of, value_at
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effect import Effect
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Judge, Row
from gpuplane.plan.verdict import Verdict
from gpuplane.release.diff.objects import PlacedDocuments

_GROUP = "kueue.x-k8s.io"
_CLUSTER_QUEUE = (f"ClusterQueue.{_GROUP}",)
_COHORT = (f"Cohort.{_GROUP}",)
_LOCAL_QUEUE = (f"LocalQueue.{_GROUP}",)
_FLAVOR = (f"ResourceFlavor.{_GROUP}",)
_PRIORITY = (f"WorkloadPriorityClass.{_GROUP}",)
_TOPOLOGY = (f"Topology.{_GROUP}", "Topology.kai.scheduler")
_CHECK = (f"AdmissionCheck.{_GROUP}", f"ProvisioningRequestConfig.{_GROUP}")
_QUEUE = ("Queue.scheduling.run.ai", "Queue.scheduling.volcano.sh")
_GROUPS = "spec.resourceGroups"
_NONE = Absent.ABSENT
_PREEMPTION = ("Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any")
"""Whom waiting jobs preempt, from none, which is the default, to all."""


def _amounts(document: object) -> dict[tuple[str, str, str], object]:
    """Return the amounts of a queue, by flavor, resource and name."""
    groups = value_at(document, "spec", "resourceGroups") if isinstance(document, dict) else None
    return {
        (flavor["name"], resource["name"], name): amount
        for group in groups or ()
        for flavor in group.get("flavors", ())
        for resource in flavor.get("resources", ())
        for name, amount in resource.items()
        if name != "name"
    }


def _resource_groups(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
    old, new = (_amounts(side) for side in change.sides)
    lost = sorted({key[:2] for key in old} - {key[:2] for key in new})
    verdict = Verdict.DISRUPTIVE if _is_reclaimed(change) else Verdict.SAFE
    preempted = " until another queue of the cohort preempts it" if verdict else ""
    for flavor, resource in lost:
        yield _quota_effect(
            verdict,
            f"{resource} of the flavor {flavor} is gone: what is admitted runs on{preempted}, and "
            "nothing new is admitted there.",
        )
    lowered = any(
        is_lowered(change, ChangedField((), (), "", old[key], new[key]))
        for key in old.keys() & new.keys()
        if key[2] == "nominalQuota"
    )
    if lowered:
        yield _quota_effect(
            verdict,
            f"Quota is lowered: what is admitted runs on, even above it{preempted}.",
        )
    if not lost and not lowered:
        less = any(
            is_lowered(change, ChangedField((), (), "", old.get(key, _NONE), new.get(key, _NONE)))
            for key in old.keys() | new.keys()
            if key[2] != "nominalQuota" and key[:2] in {each[:2] for each in old}
        )
        yield Effect(
            Verdict.SAFE,
            _GROUPS,
            "No quota is lowered: what is admitted runs on, and "
            f"{'less may be borrowed from now on' if less else 'more may be'}.",
            sources.KUEUE_CLUSTER_QUEUE,
        )


def _quota_effect(verdict: Verdict, reason: str) -> Effect:
    source = sources.KUEUE_PREEMPTION if verdict else sources.KUEUE_CLUSTER_QUEUE
    return Effect(verdict, _GROUPS, reason, source, is_certain=False)


def _is_reclaimed(change: ObjectChange) -> bool:
    """Return whether another queue takes back what a queue holds above its quota, by preemption."""
    if not _cohort(change.document):
        return False
    others = change.cluster.of_kind(_CLUSTER_QUEUE[0])
    return any(
        value_at(queue, "spec", "preemption", "reclaimWithinCohort") not in (None, "Never")
        for queue in others
        if queue["metadata"]["name"] != change.placed.key.name and _cohort(queue)
    )


def _cohort(queue: Document) -> str | None:
    """Return the cohort of a ClusterQueue; cohorts may be of one another, so that any may share."""
    named: str | None = value_at(queue, "spec", "cohortName") or value_at(queue, "spec", "cohort")
    return named


def _preempts_more(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether waiting jobs of a queue may preempt running ones that were safe from them."""
    if field.segments[-1] != "withinClusterQueue" and not _cohort(change.document):
        return False
    before, after = (
        _PREEMPTION.index(value) if value in _PREEMPTION else 0 for value in (field.old, field.new)
    )
    return after > before


def _queues(documents: PlacedDocuments) -> Iterator[Document]:
    """Yield the ClusterQueues of one side of a change."""
    for placed, document in documents.items():
        if kind_of(placed.key) == _CLUSTER_QUEUE[0]:
            yield document


def _go_all(change: ObjectChange) -> bool:
    """Return whether no ClusterQueue is left, as where queues are switched off."""
    before, after = (_queues(side) for side in (change.cluster.before, change.cluster.after))
    return any(before) and not any(after)


def _is_unused_flavor(change: ObjectChange) -> bool:
    queues = tuple(_queues(change.cluster.after))
    name = change.placed.key.name
    return bool(queues) and all(name != flavor for each in queues for flavor, *_ in _amounts(each))


def _is_unreferenced(change: ObjectChange) -> bool:
    """Return whether it is Kueue's, and no object of Kueue that stays names it anywhere."""
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


def _evicts(_: ObjectChange, field: ChangedField) -> bool:
    return bool(field.new == "HoldAndDrain")


ROWS: tuple[AnyRow, ...] = (
    Row(
        (*_CLUSTER_QUEUE, *_LOCAL_QUEUE, *_COHORT, *_QUEUE),
        Verdict.SAFE,
        "Jobs can be queued in it; none that runs is touched.",
        sources.KUEUE_CLUSTER_QUEUE,
        changes=ADDED,
    ),
    Row(
        (*_CLUSTER_QUEUE, *_FLAVOR),
        Verdict.DISRUPTIVE,
        "Queues are switched off: jobs that wait stay suspended. Admitted ones run on: a finalizer "
        "holds what they have a part of until they end, and the prune waits as long.",
        sources.KUEUE_CLUSTER_QUEUE,
        changes=REMOVED,
        object_condition=_go_all,
        is_certain=False,
    ),
    Row(
        (*_LOCAL_QUEUE, *_COHORT, *_PRIORITY),
        Verdict.SAFE,
        "Queues are switched off, and it goes with them; admitted jobs run on.",
        sources.KUEUE_CLUSTER_QUEUE,
        changes=REMOVED,
        object_condition=_go_all,
        is_certain=False,
    ),
    Row(
        _CLUSTER_QUEUE,
        Verdict.DISRUPTIVE,
        "It goes once its admitted jobs have ended; pending ones are inadmissible, and its "
        "LocalQueues have to be made again.",
        sources.KUEUE_CLUSTER_QUEUE,
        changes=REMOVED,
    ),
    Judge(_CLUSTER_QUEUE, (_GROUPS,), _resource_groups),
    Row(
        (*_CLUSTER_QUEUE, *_LOCAL_QUEUE),
        Verdict.DISRUPTIVE,
        "All its admitted jobs are evicted, and nothing is admitted.",
        sources.KUEUE_CLUSTER_QUEUE,
        fields=("spec.stopPolicy",),
        field_condition=_evicts,
    ),
    Row(
        (*_CLUSTER_QUEUE, *_LOCAL_QUEUE),
        Verdict.SAFE,
        "{old} becomes {new}: what is admitted runs on; it decides what is admitted from now on.",
        sources.KUEUE_CLUSTER_QUEUE,
        fields=("spec.stopPolicy",),
    ),
    Row(
        _CLUSTER_QUEUE,
        Verdict.DISRUPTIVE,
        "Jobs that wait may preempt running ones that they could not preempt so far: {old} becomes "
        "{new}.",
        sources.KUEUE_PREEMPTION,
        fields=(
            "spec.preemption.withinClusterQueue",
            "spec.preemption.reclaimWithinCohort",
            "spec.preemption.borrowWithinCohort.policy",
        ),
        field_condition=_preempts_more,
    ),
    Row(
        _CLUSTER_QUEUE,
        Verdict.SAFE,
        "What is admitted runs on; {old} becoming {new} decides who may borrow from it and preempt "
        "whom from now on.",
        sources.KUEUE_CLUSTER_QUEUE,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _LOCAL_QUEUE,
        Verdict.SAFE,
        "Admitted jobs run on; waiting ones lose what was reserved, and new ones name no queue "
        "that is there.",
        sources.KUEUE_LOCAL_QUEUE,
        changes=REMOVED,
    ),
    Row(
        _LOCAL_QUEUE,
        Verdict.SAFE,
        "Admitted jobs run on: {old} becomes {new} for waiting ones.",
        sources.KUEUE_LOCAL_QUEUE,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _COHORT,
        Verdict.SAFE,
        "Admitted jobs run on; {old} becoming {new} decides who may borrow from whom, and whose "
        "borrowed quota is taken back first.",
        sources.KUEUE_COHORT,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _COHORT,
        Verdict.SAFE,
        "Admitted jobs run on; its queues borrow from nobody any longer.",
        sources.KUEUE_COHORT,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _FLAVOR,
        Verdict.SAFE,
        "Queues can refer to it from now on.",
        sources.KUEUE_FLAVOR,
        changes=ADDED,
    ),
    Row(
        _FLAVOR,
        Verdict.SAFE,
        "No queue refers to it any longer. A finalizer holds it until no admitted job has a part "
        "of it.",
        sources.KUEUE_FLAVOR,
        changes=REMOVED,
        object_condition=_is_unused_flavor,
        is_certain=False,
    ),
    Row(
        _FLAVOR,
        Verdict.DISRUPTIVE,
        "A queue that refers to it is inactive from then on, and admits nothing; while one does, a "
        "finalizer holds {name}, and the prune hangs.",
        sources.KUEUE_FLAVOR,
        changes=REMOVED,
    ),
    Row(
        _FLAVOR,
        Verdict.SAFE,
        "Admitted jobs run on where they are; {old} becoming {new} decides where new ones start.",
        sources.KUEUE_FLAVOR,
        fields=("spec",),
    ),
    Row(
        _PRIORITY,
        Verdict.SAFE,
        "It gives waiting and new jobs their rank: {old} becomes {new}.",
        sources.KUEUE_PRIORITY,
        fields=("value", "description"),
        is_certain=False,
    ),
    Row(
        (*_PRIORITY, *_TOPOLOGY, *_CHECK),
        Verdict.SAFE,
        "Jobs and queues can refer to it from now on.",
        sources.KUEUE_PRIORITY,
        changes=ADDED,
    ),
    Row(
        _PRIORITY,
        Verdict.SAFE,
        "Queued jobs keep their rank; new ones that name it are refused.",
        sources.KUEUE_PRIORITY,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        (*_TOPOLOGY, *_CHECK),
        Verdict.SAFE,
        "Nothing that stays refers to it.",
        sources.KUEUE_CHECK,
        changes=REMOVED,
        object_condition=_is_unreferenced,
        is_certain=False,
    ),
    Row(
        _TOPOLOGY,
        Verdict.DISRUPTIVE,
        "Queues whose flavor refers to it are inactive from then on, and admit nothing.",
        sources.KUEUE_TOPOLOGY,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _CHECK,
        Verdict.DISRUPTIVE,
        "Queues that refer to it are inactive from then on, and admit nothing.",
        sources.KUEUE_CHECK,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _CHECK,
        Verdict.SAFE,
        "Admitted jobs run on; it decides what is admitted from now on, and where.",
        sources.KUEUE_CHECK,
        fields=("spec",),
        is_certain=False,
    ),
)
