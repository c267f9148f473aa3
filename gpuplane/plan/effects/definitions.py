"""What changes of CustomResourceDefinitions do, and of APIs that other servers serve."""

from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange


def drops_a_version(change: ObjectChange, _: ChangedField) -> bool:
    old, new = (
        {each["name"] for each in side["spec"]["versions"] if each["served"]}
        for side in change.sides
    )
    return not old <= new
