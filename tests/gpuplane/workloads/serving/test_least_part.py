"""The least of a pool that holds the weights of a model."""

from fractions import Fraction

import pytest

from charts_py.cluster_file.fault import RenderError
from charts_py.load import load_platform
from gpuplane.workloads.serving.least_part import LeastPart, least_part
from tests.conftest import CLUSTERS
from tests.gpuplane.messages import message_of

GB = 10**9


def _part(cluster: str, pool: str, size: int, gpus: int | None = None) -> LeastPart:
    found = load_platform(CLUSTERS / f"{cluster}.yaml", CLUSTERS / "fleet.yaml").pool(pool)
    return least_part(size * GB, found.hardware, found.spec.nodes.max, found.facts, gpus)


@pytest.mark.parametrize(
    ("size", "gpus"), [(16, 1), (76, 1), (77, 2), (153, 2), (160, 4), (700, 16), (1300, 24)]
)
def test_a_replica_has_as_few_gpus_as_hold_its_weights_beside_what_vllm_takes(
    size: int, gpus: int
) -> None:
    assert _part("training", "h100", size) == LeastPart(Fraction(gpus))


def test_a_number_that_is_stated_may_be_more() -> None:
    assert _part("training", "h100", 300, 8) == LeastPart(Fraction(8))


@pytest.mark.parametrize(
    ("cluster", "pool", "size", "resource", "gpus"),
    [
        ("mixed", "a100mig", 7, "nvidia.com/gpu", Fraction(1, 7)),
        ("training", "a100-mixed", 7, "nvidia.com/mig-1g.10gb", Fraction(1, 7)),
        ("training", "a100-mixed", 8, "nvidia.com/mig-2g.20gb", Fraction(2, 7)),
        ("training", "a100-mixed", 15, "nvidia.com/mig-2g.20gb", Fraction(2, 7)),
        ("inference", "l4-shared", 2, "nvidia.com/gpu", Fraction(1, 4)),
    ],
)
def test_where_gpus_are_shared_a_replica_has_the_smallest_part_that_holds_its_weights(
    cluster: str, pool: str, size: int, resource: str, gpus: Fraction
) -> None:
    assert _part(cluster, pool, size) == LeastPart(gpus, resource)


@pytest.mark.parametrize(
    ("size", "gpus", "said"),
    [
        (
            8,
            None,
            (
                "--weights: no part of a GPU on a100mig holds 8 GB; allowed: at most 6.74 GiB, as "
                "nvidia.com/gpu has beside what vLLM takes to run, or another pool"
            ),
        ),
        (
            1,
            None,
            (
                "--weights: no part of a GPU on t4spot holds 1 GB; allowed: none there, where vLLM "
                "takes all to run, or another pool"
            ),
        ),
        (
            7,
            2,
            (
                "--gpus-per-pod: pods have one part of a GPU on a100mig; allowed: no "
                "--gpus-per-pod there"
            ),
        ),
    ],
)
def test_a_part_that_nobody_can_have_is_refused(size: int, gpus: int | None, said: str) -> None:
    pool = "t4spot" if size == 1 else "a100mig"
    assert message_of(RenderError, _part, "mixed", pool, size, gpus) == said


@pytest.mark.parametrize(
    ("gpus", "said"),
    [
        (
            None,
            (
                "--weights: 4 nodes of 4 x L40S together have no room for 900 GB; allowed: smaller "
                "ones, or another pool"
            ),
        ),
        (1, "--gpus-per-pod: 1 L40S do not hold 235 GB; allowed: at least 8"),
    ],
)
def test_a_pool_without_room_is_refused(gpus: int | None, said: str) -> None:
    size = 235 if gpus else 900
    assert message_of(RenderError, _part, "onprem", "l40s", size, gpus) == said
