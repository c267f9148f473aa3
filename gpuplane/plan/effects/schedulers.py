"""What changes of KAI Scheduler and Volcano do."""

from dataclasses import replace

from charts_py.objects.fields import Absent
from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange, is_lowered, is_raised

_UNBOUNDED = -1
"""As a quota or limit of KAI has it."""


def has_less(change: ObjectChange, field: ChangedField) -> bool:
    return is_lowered(change, _bounded(field))


def has_more(change: ObjectChange, field: ChangedField) -> bool:
    return is_raised(change, _bounded(field))


def is_reclaimed(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a queue has less of its own, so that other queues reclaim what it holds above.

    A queue of Volcano may be one from which nothing is reclaimed; one of KAI cannot.
    """
    is_reclaimable = value_at(change.document, "spec", "reclaimable") is not False
    return is_reclaimable and has_less(change, field)


def _bounded(field: ChangedField) -> ChangedField:
    """Return a field of a Queue of KAI as one that is absent where it says that nothing bounds."""
    old, new = (Absent.ABSENT if each == _UNBOUNDED else each for each in (field.old, field.new))
    return replace(field, old=old, new=new)
