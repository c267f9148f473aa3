"""What the rest of gpuplane must know about on-premises machines."""

from gpus.taint import Taint
from tests.charts_py.fixture_types import PlatformWith


def test_no_provider_taints_on_premises_machines(platform_with: PlatformWith) -> None:
    pool = "{gpu: L4, gpus: 1, cpu: 8, memory: 32Gi, purpose: batch, nodes: {max: 1}}"
    (found,) = platform_with("onprem", pool).pools
    taints = (Taint("nvidia.com/gpu", "present", "NoSchedule"),)
    assert (found.facts.taints, found.own_taints) == (taints, taints)
