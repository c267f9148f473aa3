from typing import Any

import pytest

from policies.rules.gpus_per_node import RULE
from tests.policies.conftest import found, gpu_pod, message


def test_more_than_the_largest_node_has_is_refused() -> None:
    pod = gpu_pod()
    pod["spec"]["containers"].append({"resources": {"limits": {"nvidia.com/gpu": 8}}})
    assert message(found(RULE, pod)) == (
        "/spec/containers The pod asks for 9 of nvidia.com/gpu, but the largest node has 8. "
        "Ask for at most 8, and spread the work over several pods."
    )


@pytest.mark.parametrize("limits", [{"nvidia.com/gpu": 8}, {"amd.com/gpu": 99}])
def test_what_fits_or_is_not_offered_passes(limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []


def test_the_largest_node_is_one_that_the_pod_can_run_on() -> None:
    container = {"resources": {"limits": {"nvidia.com/gpu": 8}}}
    pod = gpu_pod(container, nodeSelector={"gpuplane.io/pool": "a100-spot"})
    assert message(found(RULE, pod)) == (
        "/spec/containers The pod asks for 8 of nvidia.com/gpu, but the largest node of "
        "a100-spot, which it can run on, has 4. Ask for at most 4, and spread the work over "
        "several pods."
    )


def test_where_it_can_run_nowhere_every_pool_counts() -> None:
    container = {"resources": {"limits": {"nvidia.com/gpu": 8}}}
    assert found(RULE, gpu_pod(container, nodeSelector={"gpuplane.io/pool": "none"})) == []
