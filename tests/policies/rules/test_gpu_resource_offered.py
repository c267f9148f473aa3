from typing import Any

import pytest

from policies.rules.gpu_resource_offered import RULE
from tests.policies.conftest import affinity, found, gpu_pod, message

OFFERED = "nvidia.com/gpu, nvidia.com/gpu.shared, nvidia.com/mig-1g.10gb"


@pytest.mark.parametrize(
    ("resource", "remedy"),
    [
        ("nvidia.com/mig-1g.5gb", f"Ask for nvidia.com/mig-1g.10gb; offered: {OFFERED}."),
        ("nvidia.com/mig-1g.10gb.shared", f"Ask for nvidia.com/mig-1g.10gb; offered: {OFFERED}."),
        ("nvidia.com/gpu.share", f"Ask for nvidia.com/gpu.shared; offered: {OFFERED}."),
        ("habana.ai/gaudi", f"Ask for one that is offered: {OFFERED}."),
    ],
)
def test_the_nearest_that_is_offered_is_named(resource: str, remedy: str) -> None:
    (finding,) = found(RULE, gpu_pod({"resources": {"limits": {resource: 1}}}))
    assert finding.message == f"The container train asks for {resource}, which no pool offers."
    assert finding.remedy == remedy


def test_where_there_is_no_pool_one_must_be_added() -> None:
    assert message(found(RULE, gpu_pod(), pools=())) == (
        "/spec/containers/0/resources/limits/nvidia.com~1gpu The container train asks for "
        "nvidia.com/gpu, which no pool offers. Add a pool that offers it to the cluster file."
    )


@pytest.mark.parametrize("limits", [{"nvidia.com/gpu": 1}, {"amd.com/gpu": 0}, {"rdma/hca": 1}])
def test_what_is_offered_or_no_gpu_passes(limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []


MODEL, PURCHASE = "gpuplane.io/gpu-model", "gpuplane.io/purchase"


def test_where_different_labels_exclude_the_pools_they_are_named() -> None:
    pod = gpu_pod(nodeSelector={MODEL: "h100", PURCHASE: "spot"})
    assert message(found(RULE, pod)) == (
        "/spec/nodeSelector The pod selects no nodes of h100 or a100-spot, where pods can get "
        "nvidia.com/gpu; none is with gpuplane.io/gpu-model h100 and with gpuplane.io/purchase "
        "spot. Select those of one of them, or none, in spec.nodeSelector."
    )
    assert found(RULE, pod, "granted") == []


def test_what_the_pools_of_the_namespace_offer_is_named_there() -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/mig-1g.5gb": 1}}})
    assert message(found(RULE, pod, "granted")) == (
        "/spec/containers/0/resources/limits/nvidia.com~1mig-1g.5gb The container train asks for "
        "nvidia.com/mig-1g.5gb, which no pool offers. Ask for one that is offered: nvidia.com/gpu, "
        "nvidia.com/gpu.shared."
    )
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gpu.share": 1}}})
    assert [each.remedy for each in found(RULE, pod, "granted")] == [
        "Ask for nvidia.com/gpu.shared; offered: nvidia.com/gpu, nvidia.com/gpu.shared."
    ]


def test_a_term_that_some_pool_meets_is_enough() -> None:
    wrong, right = (
        {"matchExpressions": [{"key": MODEL, "operator": "In", "values": [value]}]}
        for value in ("v100", "h100")
    )
    assert found(RULE, gpu_pod(affinity=affinity(wrong, right))) == []
    assert message(found(RULE, gpu_pod(affinity=affinity(wrong, wrong)))) == (
        "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
        "/nodeSelectorTerms/0/matchExpressions/0 The pod selects nodes with gpuplane.io/gpu-model "
        "v100, but there are none in h100 or a100-spot, where pods can get nvidia.com/gpu. "
        "gpuplane.io/gpu-model is a100 or h100 there; nearest: h100. Correct it in "
        "spec.affinity, or leave it out."
    )
