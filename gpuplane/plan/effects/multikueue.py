"""What changes of MultiKueue do, by which a manager's jobs run in worker clusters."""

from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange

_CONTROLLER = "kueue.x-k8s.io/multikueue"


def dispatches(change: ObjectChange) -> bool:
    return bool(value_at(change.before, "spec", "controllerName") == _CONTROLLER)


def is_left_out(change: ObjectChange) -> bool:
    """Return whether a configuration stays that sends jobs elsewhere, and no longer here."""
    left = [
        value_at(document, "spec", "clusters") or ()
        for placed, document in change.cluster.after.items()
        if placed.key.kind == "MultiKueueConfig"
    ]
    return bool(left) and all(change.placed.key.name not in clusters for clusters in left)


def loses_a_worker(_: ObjectChange, field: ChangedField) -> bool:
    old, new = ([] if isinstance(each, str) else each for each in (field.old, field.new))
    return not set(old) <= set(new)
