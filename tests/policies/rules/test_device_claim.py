from typing import Any

import pytest

from policies.rules.device_claim import RULE
from tests.policies.conftest import found, gpu_pod, message

BY_CLASS = "deviceclass.resource.kubernetes.io/"


def test_both_ways_are_refused() -> None:
    pod = gpu_pod()
    limits = {f"{BY_CLASS}gpu.nvidia.com": 1}
    pod["spec"]["containers"].append({"name": "other", "resources": {"limits": limits}})
    assert message(found(RULE, pod)) == (
        "/spec/containers/1/resources/limits/deviceclass.resource.kubernetes.io~1gpu.nvidia.com "
        "The pod asks for nvidia.com/gpu, and its container other for GPUs of the device "
        "class gpu.nvidia.com as well. Keep either the GPU resource or the device class."
    )


@pytest.mark.parametrize(
    "limits",
    [
        {"nvidia.com/gpu": 1},
        {f"{BY_CLASS}gpu.nvidia.com": 1},
        {"nvidia.com/gpu": 1, f"{BY_CLASS}rdma.example.com": 1},
    ],
)
def test_either_way_passes_and_what_is_no_gpu(limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []


def test_a_claim_whose_class_the_pod_does_not_name_passes() -> None:
    channel = {"name": "channel", "resourceClaimTemplateName": "nccl-compute-domain-channel"}
    resources = {"limits": {"nvidia.com/gpu": 4}, "claims": [{"name": "channel"}]}
    assert found(RULE, gpu_pod({"resources": resources}, resourceClaims=[channel])) == []
