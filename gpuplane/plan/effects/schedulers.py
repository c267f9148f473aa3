"""What changes of KAI Scheduler and Volcano do."""

from collections.abc import Iterator
from dataclasses import replace

from charts_py.objects.fields import Absent
from gpuplane.plan import sources
from gpuplane.plan.changes.amounts import is_lowered, is_raised
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, FieldCondition, Row
from gpuplane.plan.verdict import Verdict

_KAI_CONFIG = ("Config.kai.scheduler",)
_KAI_SHARD = ("SchedulingShard.kai.scheduler",)

_UNBOUNDED = -1
"""As a quota or limit of KAI has it."""


def _has_less(change: ObjectChange, field: ChangedField) -> bool:
    return is_lowered(change, _bounded(field))


def _has_more(change: ObjectChange, field: ChangedField) -> bool:
    return is_raised(change, _bounded(field))


def _is_reclaimed(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a queue has less of its own, so that other queues reclaim what it holds above.

    A queue of Volcano may be one from which nothing is reclaimed; one of KAI cannot.
    """
    is_reclaimable = value_at(change.document, "spec", "reclaimable") is not False
    return is_reclaimable and _has_less(change, field)


def _bounded(field: ChangedField) -> ChangedField:
    """Return a field of a Queue of KAI as one that is absent where it says that nothing bounds."""
    old, new = (Absent.ABSENT if each == _UNBOUNDED else each for each in (field.old, field.new))
    return replace(field, old=old, new=new)


def _queue_of(kind: str, source: str) -> Iterator[Row]:
    """Yield the rows of a Queue that is KAI's or Volcano's."""

    def row(verdict: Verdict, reason: str, condition: FieldCondition | None = None) -> Row:
        fields = ("spec",)
        return Row(
            (kind,), verdict, reason, source, fields, field_condition=condition, is_certain=False
        )

    yield row(
        Verdict.DISRUPTIVE,
        "{old} becomes {new}: running jobs stay until another queue reclaims what is above it.",
        _is_reclaimed,
    )
    yield row(
        Verdict.SAFE,
        "{old} becomes {new}: running jobs stay, as nothing is reclaimed from the queue.",
        _has_less,
    )
    yield row(Verdict.SAFE, "{old} becomes {new}: the queue may hold more.", _has_more)
    yield row(
        Verdict.SAFE,
        "Running jobs stay; it decides which jobs start next, and who may reclaim from whom.",
    )
    yield Row(
        (kind,),
        Verdict.DISRUPTIVE,
        "Jobs of the queue are no longer scheduled.",
        source,
        changes=REMOVED,
        is_certain=False,
    )


ROWS: tuple[AnyRow, ...] = (
    *_queue_of("Queue.scheduling.run.ai", sources.KAI_QUEUES),
    *_queue_of("Queue.scheduling.volcano.sh", sources.VOLCANO_QUEUES),
    Row(
        (*_KAI_CONFIG, *_KAI_SHARD),
        Verdict.SAFE,
        "KAI's operator starts what it names; none that runs is touched.",
        sources.KAI_OPERATOR,
        changes=ADDED,
    ),
    Row(
        _KAI_CONFIG,
        Verdict.ROLLING,
        "KAI's operator rolls out its services as it says: running pods stay, and none is "
        "scheduled while the scheduler restarts.",
        sources.KAI_OPERATOR,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _KAI_CONFIG,
        Verdict.DISRUPTIVE,
        "KAI's operator takes its services away: running pods stay, and no other one is scheduled.",
        sources.KAI_OPERATOR,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _KAI_SHARD,
        Verdict.ROLLING,
        "The scheduler of the shard restarts: running pods stay, and none is scheduled meanwhile.",
        sources.KAI_SHARDS,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _KAI_SHARD,
        Verdict.DISRUPTIVE,
        "The scheduler of the shard goes: running pods stay, and its nodes get no other one.",
        sources.KAI_SHARDS,
        changes=REMOVED,
        is_certain=False,
    ),
)
