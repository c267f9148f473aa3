"""What changes of workloads do, and of what stands around their pods."""

from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange

_ON_DELETE = "OnDelete"


def waits_for_deletion(change: ObjectChange) -> bool:
    return bool(value_at(change.after, "spec", "updateStrategy", "type") == _ON_DELETE)


def begins_to_roll(change: ObjectChange, field: ChangedField) -> bool:
    return field.old == _ON_DELETE and not waits_for_deletion(change)
