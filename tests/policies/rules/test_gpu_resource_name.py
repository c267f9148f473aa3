from typing import Any

import pytest
from msgspec.structs import replace

from policies.rules.gpu_resource_name import RULE
from tests.policies.conftest import SETTINGS, found, gpu_pod

OFFERED = "nvidia.com/gpu, nvidia.com/gpu.shared, nvidia.com/mig-1g.10gb"


@pytest.mark.parametrize(
    ("resource", "nearest"),
    [
        ("nvidia.com/gup", "; nearest: nvidia.com/gpu"),
        ("nvidia.com/GPU", "; nearest: nvidia.com/gpu"),
        ("nvidia.com/gpu-shared", "; nearest: nvidia.com/gpu.shared"),
        ("nvidia.com/gpus", "; nearest: nvidia.com/gpu"),
        ("nvidia.com/mgi-1g.10gb", "; nearest: nvidia.com/mig-1g.10gb"),
        ("nvidia.com/hostdev", ""),
        ("amd.com/gup", ""),
        ("gpu.intel.com/i951", ""),
        ("habana.ai/gaudi2", ""),
    ],
)
def test_what_no_gpu_is_called_is_warned_of_with_the_nearest_of_its_domain(
    resource: str, nearest: str
) -> None:
    (finding,) = found(RULE, gpu_pod({"resources": {"limits": {resource: 1}}}))
    assert finding.message == (
        f"The container train asks for {resource}, which no pool offers and which names no GPU."
    )
    assert finding.remedy == f"Ask for what is offered: {OFFERED}{nearest}."


@pytest.mark.parametrize("field", ["limits", "requests"])
def test_the_place_is_where_it_is_stated(field: str) -> None:
    (finding,) = found(RULE, gpu_pod({"resources": {field: {"nvidia.com/gup": 1}}}))
    assert finding.path == f"/spec/containers/0/resources/{field}/nvidia.com~1gup"


def test_what_a_pool_or_the_queues_declare_is_known() -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gpu": 1, "nvidia.com/hostdev": 1}}})
    declared = replace(SETTINGS.pools[0], others={"nvidia.com/hostdev": None})
    assert found(RULE, pod, pools=(declared,)) == []
    assert found(RULE, pod, uncounted=("nvidia.com/hostdev",)) == []


@pytest.mark.parametrize(
    ("namespace", "remedy"),
    [
        ("plain", f"{OFFERED}; nearest: nvidia.com/gpu"),
        ("granted", "nvidia.com/gpu, nvidia.com/gpu.shared; nearest: nvidia.com/gpu"),
    ],
)
def test_what_the_namespace_may_use_is_listed(namespace: str, remedy: str) -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gup": 1}}})
    assert [finding.remedy for finding in found(RULE, pod, namespace)] == [
        f"Ask for what is offered: {remedy}."
    ]


def test_where_there_is_no_pool_nothing_is_offered() -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gup": 1}}})
    assert [finding.remedy for finding in found(RULE, pod, pools=())] == [
        "Ask for what is offered: nothing."
    ]


@pytest.mark.parametrize(
    "limits",
    [
        {"nvidia.com/gpu": 1},
        {"nvidia.com/mig-1g.5gb": 1},
        {"nvidia.com/gup": 0},
        {"vpc.amazonaws.com/efa": 1},
        {"rdma/hca": 1},
        {"cpu": 1},
    ],
)
def test_what_some_gpu_is_called_and_other_domains_pass(limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []
