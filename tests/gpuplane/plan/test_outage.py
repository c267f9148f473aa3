"""Of how many GPUs a rollout takes how long, for each mechanism."""

import pytest

from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.rollout import Mechanism, Rollout, Span, exactly

FEW = PoolNodes("training", "h100", Span(4, 16), 8)
NINE = PoolNodes("training", "h100", exactly(9), 8, is_counted=True)


def _outage(mechanism: Mechanism, pool: PoolNodes = NINE, **fields: object) -> Outage:
    return Outage(Rollout(mechanism, "h100", **fields), (pool,))  # type: ignore[arg-type] # as rows name them


@pytest.mark.parametrize(
    ("outage", "at_once", "waves", "minutes", "gpus_out", "gpu_hours"),
    [
        # 5 minutes for the driver at least, 10 of drain and 21 of the driver at most; node by node.
        pytest.param(
            _outage(Mechanism.DRIVER_UPGRADE, limits=("1", "25%"), drain_seconds=600),
            exactly(1),
            exactly(9),
            Span(18, 279),
            exactly(8),
            Span(2.4, 37.2),
            id="driver upgrade, one node at a time",
        ),
        pytest.param(
            _outage(Mechanism.DRIVER_UPGRADE, limits=("25%",)),
            exactly(3),
            exactly(3),
            Span(6, None),
            exactly(24),
            Span(2.4, None),
            id="driver upgrade that waits for jobs, a quarter of nine nodes rounded up",
        ),
        pytest.param(
            _outage(Mechanism.MIG_LABEL),
            exactly(9),
            exactly(1),
            Span(0, 25),
            exactly(72),
            Span(0, 30),
            id="MIG label, all nodes at once",
        ),
        pytest.param(
            _outage(Mechanism.DRIFT, limits=("2",), drain_seconds=3600),
            exactly(2),
            exactly(5),
            Span(25, 325),
            exactly(0),
            exactly(0),
            id="drift, replacements first",
        ),
        pytest.param(
            _outage(Mechanism.POOL_UPGRADE, limits=("0",), surge="1", drain_seconds=900),
            exactly(1),
            exactly(9),
            Span(45, 180),
            exactly(0),
            exactly(0),
            id="pool upgrade by surge, whose nodes come first",
        ),
        pytest.param(
            _outage(Mechanism.POOL_UPGRADE, limits=("1",), surge="2", drain_seconds=900),
            exactly(3),
            exactly(3),
            Span(15, 60),
            exactly(8),
            Span(2, 8),
            id="pool upgrade, of which a third is missed",
        ),
        pytest.param(
            _outage(Mechanism.PLUGIN_RESTART, limits=("1",)),
            exactly(1),
            exactly(9),
            exactly(0),
            exactly(0),
            exactly(0),
            id="device plugin restart takes no GPU away",
        ),
    ],
)
def test_the_figures_of_a_mechanism(
    outage: Outage, at_once: Span, waves: Span, minutes: Span, gpus_out: Span, gpu_hours: Span
) -> None:
    found = (outage.at_once, outage.waves, outage.minutes, outage.gpus_out)
    assert found == (at_once, waves, minutes, gpus_out)
    assert outage.gpu_hours.low == pytest.approx(gpu_hours.low)
    assert outage.gpu_hours.high == (
        None if gpu_hours.high is None else pytest.approx(gpu_hours.high)
    )


def test_figures_grow_with_the_nodes_that_may_run() -> None:
    outage = _outage(Mechanism.MIG_LABEL, FEW)
    assert (outage.nodes, outage.gpus_out) == (Span(4, 16), Span(32, 128))


@pytest.mark.parametrize(
    ("nodes", "waves"),
    [
        pytest.param(Span(4, 16), Span(4, 10), id="most waves of fewer nodes than there can be"),
        pytest.param(Span(10, 11), Span(6, 10), id="fewer waves of more nodes"),
        pytest.param(Span(0, 0), exactly(0), id="no nodes"),
    ],
)
def test_waves_are_the_most_of_all_numbers_of_nodes_that_there_can_be(
    nodes: Span, waves: Span
) -> None:
    pool = PoolNodes("training", "h100", nodes, 8)
    outage = _outage(Mechanism.DRIFT, pool, limits=("10%",), drain_seconds=600)
    assert (outage.waves, outage.minutes) == (waves, waves * Span(5, 15))


def test_gpu_hours_are_the_most_of_all_numbers_of_nodes_that_there_can_be() -> None:
    pool = PoolNodes("training", "h100", Span(10, 11), 8)
    fields = {"limits": ("1",), "surge": "10%", "drain_seconds": 0}
    # A half of 10 nodes comes first, and two thirds of 11; each takes 5 minutes.
    found = _outage(Mechanism.POOL_UPGRADE, pool, **fields).gpu_hours
    assert (found.low, found.high) == pytest.approx((8 * 11 / 3 / 12, 8 * 5 / 12))


def test_an_object_may_say_how_many_nodes_it_concerns() -> None:
    outage = _outage(Mechanism.SCALE_IN, FEW, nodes=3)
    assert (outage.nodes, outage.gpus_out) == (exactly(3), exactly(24))
    assert (outage.is_for_good, outage.minutes) == (True, Span(0, None))


def test_a_part_that_nobody_knows_may_be_none() -> None:
    outage = _outage(Mechanism.SCALE_IN, FEW, nodes=12, is_part=True)
    assert (outage.nodes, outage.gpus_out) == (Span(0, 12), Span(0, 96))


def test_a_limit_of_no_node_blocks_it() -> None:
    outage = _outage(Mechanism.DRIFT, limits=("0",))
    assert (outage.is_blocked, outage.at_once, outage.waves) == (True, exactly(0), exactly(0))


def test_pools_of_different_machines_miss_no_more_gpus_than_they_have() -> None:
    pools = (PoolNodes("lab", "h200", exactly(4), 8), PoolNodes("lab", "l40s", exactly(2), 4))
    outage = Outage(Rollout(Mechanism.DRIVER_UPGRADE, "h200"), pools)
    assert (outage.nodes, outage.gpus_out) == (exactly(6), exactly(40))
