"""Whether a field of a change went down or up."""

from gpuplane.plan.changes.duration import seconds
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from policies.quantity import read_quantity


def is_lowered(_: ObjectChange, field: ChangedField) -> bool:
    """Return whether an amount went down; a limit that is new counts as lower than none."""
    if field.is_added or field.is_removed:
        return field.is_added
    old, new = read_quantity(field.old), read_quantity(field.new)
    return old is not None and new is not None and new < old


def is_raised(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether an amount went up; a limit that is gone counts as higher than any."""
    if field.is_added or field.is_removed:
        return field.is_removed
    return is_lowered(change, ChangedField((), (), "", field.new, field.old))


def is_sooner(_: ObjectChange, field: ChangedField) -> bool:
    """Return whether a duration is shorter than it was; `Never` and none are the longest."""
    old, new = seconds(field.old), seconds(field.new)
    return new is not None and (old is None or new < old)


def is_added(_: ObjectChange, field: ChangedField) -> bool:
    return field.is_added


def is_removed(_: ObjectChange, field: ChangedField) -> bool:
    return field.is_removed
