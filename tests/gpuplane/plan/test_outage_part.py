import pytest

from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.outage_part import outage_part
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.rollout import Mechanism, Rollout, Span, exactly
from gpuplane.versions.comparison import Subject

COUNTED = PoolNodes("lab", "h100", exactly(3), 8, is_counted=True)
FIXED = PoolNodes("lab", "a100", exactly(2), 8)
SCALED = PoolNodes("lab", "l4", Span(0, 4), 1)
RANGE = "Node counts range from the minimum to the maximum of the cluster file"
UNKNOWN = "How many are running is not known here; pass --nodes POOL=COUNT."


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
    plan = ClusterPlan("lab", Subject.RENDERED, "1.0.0", "1.1.0", outages=outages)
    (part,) = outage_part(plan)
    assert part.notes[0] == note
