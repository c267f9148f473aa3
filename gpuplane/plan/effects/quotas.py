"""What changes of quotas and limits of a namespace do."""

from gpuplane.plan.effects.offered_resources import is_newly_offered, is_no_longer_offered
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange

_REQUESTS = "requests."


def goes_with_its_resource(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a quota is gone since no pool offers what it counted."""
    resource = field.segments[-1].removeprefix(_REQUESTS)
    return field.is_removed and is_no_longer_offered(change.cluster, resource)


def comes_with_its_resource(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a quota is new since a pool offers what it counts."""
    resource = field.segments[-1].removeprefix(_REQUESTS)
    return field.is_added and is_newly_offered(change.cluster, resource)
