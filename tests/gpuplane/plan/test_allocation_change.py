"""What a plan says of capacity and quotas that change."""

from gpuplane.plan.allocation_change import AllocationChange, DeclaredSize, allocation_part
from gpuplane.plan.headline import sentence
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.sources import source
from gpuplane.versions.comparison import Subject


def test_more_machines_are_capacity_for_quotas_once_they_have_joined() -> None:
    change = AllocationChange(sizes=(DeclaredSize("h200", 2, 3, 8),))
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", allocations=change)
    (part,) = allocation_part("lab", change)
    assert part.notes[0] == (
        "h200 is stated to have 3 nodes of 8 GPUs in place of 2, so quotas can have 8 GPUs more. "
        "The merge adds no machine: one belongs to the pool once it has joined the cluster and "
        f"matches ({source('node_features')})."
    )
    assert "; quotas can have 8 GPUs more of lab/h200, and no machine is added;" in sentence([plan])
