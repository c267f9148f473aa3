"""What a plan says of capacity and quotas that change."""

from fractions import Fraction

import pytest

from gpuplane.plan.allocation_change import (
    NO_CHANGE,
    AllocationChange,
    DeclaredSize,
    TeamChange,
    allocation_part,
)
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


@pytest.mark.parametrize(
    ("live", "rendered", "asked", "brought"),
    [
        pytest.param(8, 16, 8, None, id="it becomes what is live again"),
        pytest.param(0, 16, 8, None, id="a promotion brings less than it would have, and no loss"),
        pytest.param(8, 16, 24, (16, 24), id="it brings more than it would have"),
        pytest.param(16, 24, 8, (16, 8), id="what was never live cannot be lost"),
    ],
)
def test_a_promotion_brings_what_neither_is_live_nor_was_rendered(
    live: int, rendered: int, asked: int, brought: tuple[int, int] | None
) -> None:
    change, promotion = (
        AllocationChange(teams=(TeamChange("a", Fraction(old), Fraction(asked)),))
        for old in (rendered, live)
    )
    expected = () if brought is None else (TeamChange("a", *map(Fraction, brought)),)
    assert change.brought_by(promotion if live != asked else NO_CHANGE).teams == expected
