"""What changes of NVIDIA's GPU operator do: of its chart's values, and of its own objects.

The values of the chart are called as the fields of the ClusterPolicy that it makes.
"""

from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.rollouts.driver_upgrade import (
    installs_driver,
    upgrades_by_itself,
)

CHART = "Application.argoproj.io/gpu-operator"
POLICY = "ClusterPolicy.nvidia.com"
DRIVER = "NVIDIADriver.nvidia.com"


def waits_for_a_restart(change: ObjectChange) -> bool:
    return installs_driver(change) and not upgrades_by_itself(change)


def begins_to_upgrade(change: ObjectChange, field: ChangedField) -> bool:
    return field.old is False and upgrades_by_itself(change)
