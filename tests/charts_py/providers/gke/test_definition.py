import pytest

from charts_py.providers.gke.definition import GKE
from gpus.taint import Taint
from tests.charts_py.fixture_types import PlatformWith

GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
SPOT_TAINT = Taint("cloud.google.com/gke-spot", "true", "NoSchedule")


@pytest.mark.parametrize(
    ("purchase", "taints", "own"),
    [("on-demand", (GPU_TAINT,), ()), ("spot", (GPU_TAINT, SPOT_TAINT), (SPOT_TAINT,))],
)
def test_gke_sets_the_gpu_taint_and_not_that_of_spot_nodes(
    platform_with: PlatformWith, purchase: str, taints: tuple[Taint, ...], own: tuple[Taint, ...]
) -> None:
    pool = (
        f"{{instanceType: g2-standard-4, purpose: batch, nodes: {{max: 1}}, purchase: {purchase}}}"
    )
    (found,) = platform_with("gke", pool).pools
    assert (found.facts.taints, found.own_taints) == (taints, own)


def test_gke_taints_arm_machines_by_itself(platform_with: PlatformWith) -> None:
    machine = "instanceType: a4x-highgpu-4g, interconnect: ethernet, purchase: reserved"
    pool = f"{{{machine}, purpose: training, nodes: {{max: 1}}}}"
    (found,) = platform_with("gke", pool).pools
    arm = Taint("kubernetes.io/arch", "arm64", "NoSchedule")
    assert (found.facts.taints, found.own_taints) == ((GPU_TAINT, arm), ())


def test_gke_leaves_the_taints_of_other_vendors_to_us() -> None:
    assert GKE.taints.gpu_vendors == ("nvidia",)
