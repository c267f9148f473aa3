from typing import Any

import pytest
from msgspec.structs import replace

from gpus.sharing import SharingKind
from policies.rules.gpus_per_node import RULE
from policies.settings import OfferedResource
from tests.policies.conftest import SETTINGS, found, gpu_pod, message


def test_more_than_the_largest_node_has_is_refused() -> None:
    pod = gpu_pod()
    pod["spec"]["containers"].append({"resources": {"limits": {"nvidia.com/gpu": 8}}})
    assert message(found(RULE, pod)) == (
        "/spec/containers/1/resources/limits/nvidia.com~1gpu "
        "The pod asks for 9 of nvidia.com/gpu, but the largest node has 8. "
        "Ask for at most 8, and spread the work over several pods."
    )


@pytest.mark.parametrize("limits", [{"nvidia.com/gpu": 8}, {"amd.com/gpu": 99}])
def test_what_fits_or_is_not_offered_passes(limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []


def test_the_largest_node_is_one_that_the_pod_can_run_on() -> None:
    container = {"resources": {"limits": {"nvidia.com/gpu": 8}}}
    pod = gpu_pod(container, nodeSelector={"gpuplane.io/pool": "a100-spot"})
    assert message(found(RULE, pod)) == (
        "/spec/containers/0/resources/limits/nvidia.com~1gpu "
        "The pod asks for 8 of nvidia.com/gpu, but the largest node of "
        "a100-spot, which it can run on, has 4. Ask for at most 4, and spread the work over "
        "several pods."
    )


def test_where_it_can_run_nowhere_every_pool_counts() -> None:
    container = {"resources": {"limits": {"nvidia.com/gpu": 8}}}
    assert found(RULE, gpu_pod(container, nodeSelector={"gpuplane.io/pool": "none"})) == []


SHARED = replace(
    SETTINGS.pools[-1],
    name="a100-shared",
    resources=(OfferedResource("nvidia.com/gpu", 16, SharingKind.TIME_SLICING),),
)


@pytest.mark.parametrize(
    ("pools", "asked", "most"),
    [
        # One container gets no more than one share.
        ((SETTINGS.pools[0], SHARED), 12, "8"),
        # That it may have one share alone, another rule says.
        ((SHARED,), 17, None),
    ],
)
def test_it_advises_no_more_shares_than_one_gets(pools: Any, asked: int, most: str | None) -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gpu": asked}}})
    assert [each.remedy for each in found(RULE, pod, pools=pools)] == (
        [f"Ask for at most {most}, and spread the work over several pods."] if most else []
    )


def test_several_containers_get_a_share_each() -> None:
    one = {"resources": {"limits": {"nvidia.com/gpu": 1}}}
    pod = gpu_pod()
    pod["spec"]["containers"] += [one] * 16
    assert message(found(RULE, pod, pools=(SHARED,))) == (
        "/spec/containers/0/resources/limits/nvidia.com~1gpu "
        "The pod asks for 17 of nvidia.com/gpu, but the largest node has 16. "
        "Ask for at most 16, and spread the work over several pods."
    )
