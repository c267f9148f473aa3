"""What a plan says of capacity and quotas that change."""

from charts_py.plan import sources
from charts_py.plan.allocation_change import AllocationChange, StatedSize
from charts_py.plan.headline import sentence
from charts_py.plan.parts.allocation_part import allocation_part
from charts_py.plan.plan import ClusterPlan
from charts_py.release.diff.comparison import Subject


def test_more_machines_are_capacity_for_quotas_once_they_have_joined() -> None:
    change = AllocationChange(sizes=(StatedSize("h200", 2, 3, 8),))
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", allocations=change)
    (part,) = allocation_part(plan)
    assert part.notes[0] == (
        "h200 is stated to have 3 nodes of 8 GPUs in place of 2, so quotas can have 8 GPUs more. "
        "The merge adds no machine: one belongs to the pool once it has joined the cluster and "
        f"matches ({sources.NODE_FEATURES})."
    )
    assert "; quotas can have 8 GPUs more of lab/h200, and no machine is added;" in sentence([plan])
