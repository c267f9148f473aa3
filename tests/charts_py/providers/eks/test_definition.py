import pytest

from gpus.taint import Taint
from tests.charts_py.fixture_types import FaultsOf, Load, PlatformWith, Sample

GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
SPOT_TAINT = Taint("gpuplane.io/purchase", "spot", "NoSchedule")


@pytest.mark.parametrize(
    ("purchase", "taints", "own"),
    [
        ("on-demand", (GPU_TAINT,), (GPU_TAINT,)),
        ("spot", (GPU_TAINT, SPOT_TAINT), (GPU_TAINT, SPOT_TAINT)),
    ],
)
def test_eks_sets_no_taint_by_itself(
    platform_with: PlatformWith, purchase: str, taints: tuple[Taint, ...], own: tuple[Taint, ...]
) -> None:
    pool = f"{{instanceType: g6.xlarge, purpose: batch, nodes: {{max: 1}}, purchase: {purchase}}}"
    (found,) = platform_with("eks", pool).pools
    assert (found.facts.taints, found.own_taints) == (taints, own)


LONG = "a" * 56


def test_a_pool_with_a_minimum_size_leaves_room_for_the_suffix_of_its_second_node_pool(
    sample: Sample, faults_of: FaultsOf
) -> None:
    text = sample("eks").replace("h100:", f"{LONG}:")
    assert faults_of(text) == (
        f'sample.yaml:12: pools.{LONG}: "{LONG}" has 56 characters; a Karpenter NodePool with a '
        "minimum size may have at most 55; allowed: one such as h100"
    )


@pytest.mark.parametrize(
    ("name", "change"),
    [("eks", ("{min: 2, max: 4}", "{max: 4}")), ("eksctl", ("{max: 4}", "{min: 2, max: 4}"))],
)
def test_a_pool_without_a_second_node_pool_may_have_a_longer_name(
    sample: Sample, platform_of: Load, name: str, change: tuple[str, str]
) -> None:
    text = sample(name, change).replace("h100:", f"{LONG}:")
    assert LONG in [pool.name for pool in platform_of(text).pools]
