import pytest

from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.outage_part import outage_part
from gpuplane.plan.rollout import Mechanism, Rollout, Span, exactly

COUNTED = PoolNodes("lab", "h100", exactly(3), 8, is_counted=True)
FIXED = PoolNodes("lab", "a100", exactly(2), 8)
SCALED = PoolNodes("lab", "l4", Span(0, 4), 1)
RANGE = "Node counts range from the minimum to the maximum of the cluster file"
UNKNOWN = "How many are running is not known here; pass --nodes POOL=COUNT."


def test_the_upgrade_of_a_driver_has_a_least_and_a_most_time() -> None:
    rollout = Rollout(
        Mechanism.DRIVER_UPGRADE,
        "h100",
        limits=("50", "25%"),
        drain_seconds=86_400,
        is_held_by_budgets=True,
    )
    outage = Outage(rollout, (PoolNodes("lab", "h100", exactly(1000), 8),))
    (part,) = outage_part([outage])
    (row,) = part.tables[0].rows
    # 20 waves, each of 2 to 21 minutes and at most a day before.
    assert row[4:7] == ("50", "20", "40 minutes to 487 hours")
    assert part.notes[-2:] == (
        "A node of h100 waits up to 24 hours for its pods to leave.",
        (
            "Jobs that still run then are evicted. A PodDisruptionBudget that allows no eviction "
            "holds its node for longer, without a bound."
        ),
    )


@pytest.mark.parametrize(
    ("pools", "note"),
    [
        ((FIXED,), "Node counts are those of the cluster file."),
        ((FIXED, COUNTED), "Node counts are those of the cluster file, and counted for h100."),
        ((SCALED,), f"{RANGE}. {UNKNOWN}"),
        ((SCALED, COUNTED), f"{RANGE}; those of h100 were counted. {UNKNOWN}"),
    ],
)
def test_the_first_note_says_where_the_numbers_of_nodes_come_from(
    pools: tuple[PoolNodes, ...], note: str
) -> None:
    outages = tuple(Outage(Rollout(Mechanism.DRIFT, each.pool), (each,)) for each in pools)
    (part,) = outage_part(outages)
    assert part.notes[0] == note


def test_nodes_that_are_yet_to_be_replaced_may_lack_what_is_expected() -> None:
    drift = Outage(Rollout(Mechanism.DRIFT, "l4"), (SCALED,), unmet=("16 of 32 nvidia.com/gpu",))
    (part,) = outage_part([drift])
    assert (
        "Until they are replaced, nodes of l4 report gpuplane.io/GpuNotReady, as they have 16 of "
        "32 nvidia.com/gpu."
    ) in part.notes
