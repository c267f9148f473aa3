from typing import Any

import pytest
from msgspec.structs import replace

from gpus.sharing import SharingKind
from policies.rules.shared_gpu_count import RULE
from policies.settings import OfferedResource, Settings
from tests.policies.conftest import found, gpu_pod, message


def test_two_shares_are_refused() -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gpu.shared": 2}}})
    assert message(found(RULE, pod)) == (
        "/spec/containers/0/resources/limits/nvidia.com~1gpu.shared The container train asks "
        "for 2 of nvidia.com/gpu.shared, which is shared by time-slicing: several shares give "
        "no more than one. Ask for 1."
    )


@pytest.mark.parametrize(
    "limits", [{"nvidia.com/gpu.shared": 1}, {"nvidia.com/gpu": 8}, {"nvidia.com/mig-1g.10gb": 2}]
)
def test_one_share_or_several_whole_ones_pass(limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []


SHARED = "gpuplane.io/pool", "shared"
"""On GKE, whole and shared GPUs have the same name."""


@pytest.fixture
def pools(settings: Settings) -> Any:
    (whole, *_) = settings.pools
    shares = OfferedResource("nvidia.com/gpu", 16, SharingKind.TIME_SLICING)
    shared = replace(whole, name="shared", resources=(shares,), labels=dict([SHARED]))
    return (whole, shared)


def test_shares_are_told_by_the_pools_that_the_pod_can_run_on(pools: Any) -> None:
    container = {"resources": {"limits": {"nvidia.com/gpu": 2}}}
    pod = gpu_pod(container, nodeSelector=dict([SHARED]))
    assert message(found(RULE, pod, pools=pools)).startswith(
        "/spec/containers/0/resources/limits/nvidia.com~1gpu The container train asks for 2 of "
        "nvidia.com/gpu, which is shared by time-slicing: "
    )
    assert found(RULE, gpu_pod(container), pools=pools) == []
