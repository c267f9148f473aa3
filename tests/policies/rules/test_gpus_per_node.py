from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.rules.gpus_per_node import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


def test_more_than_the_largest_node_has_is_refused(found: Found, gpu_pod: MakePod) -> None:
    pod = gpu_pod()
    pod["spec"]["containers"].append({"resources": {"limits": {"nvidia.com/gpu": 8}}})
    assert _messages(found(RULE, pod)) == [
        (
            "/spec/containers The pod asks for 9 of nvidia.com/gpu, but the largest node has 8. "
            "Ask for at most 8, and spread the work over several pods."
        )
    ]


@pytest.mark.parametrize("limits", [{"nvidia.com/gpu": 8}, {"amd.com/gpu": 99}])
def test_what_fits_or_is_not_offered_passes(found: Found, gpu_pod: MakePod, limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []


def test_the_largest_node_is_one_that_the_pod_can_run_on(found: Found, gpu_pod: MakePod) -> None:
    container = {"resources": {"limits": {"nvidia.com/gpu": 8}}}
    pod = gpu_pod(container, nodeSelector={"gpuplane.io/pool": "a100-spot"})
    assert _messages(found(RULE, pod)) == [
        (
            "/spec/containers The pod asks for 8 of nvidia.com/gpu, but the largest node of "
            "a100-spot, which it can run on, has 4. Ask for at most 4, and spread the work over "
            "several pods."
        )
    ]


def test_where_it_can_run_nowhere_every_pool_counts(found: Found, gpu_pod: MakePod) -> None:
    container = {"resources": {"limits": {"nvidia.com/gpu": 8}}}
    assert found(RULE, gpu_pod(container, nodeSelector={"gpuplane.io/pool": "none"})) == []
