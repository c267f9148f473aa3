from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.rules.gpu_resource_offered import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


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
def test_the_nearest_that_is_offered_is_named(
    found: Found, gpu_pod: MakePod, resource: str, remedy: str
) -> None:
    (finding,) = found(RULE, gpu_pod({"resources": {"limits": {resource: 1}}}))
    assert finding.message == f"The container train asks for {resource}, which no pool offers."
    assert finding.remedy == remedy


def test_where_there_is_no_pool_one_must_be_added(found: Found, gpu_pod: MakePod) -> None:
    assert _messages(found(RULE, gpu_pod(), pools=())) == [
        (
            "/spec/containers/0/resources/limits/nvidia.com~1gpu The container train asks for "
            "nvidia.com/gpu, which no pool offers. Add a pool that offers it to the cluster file."
        )
    ]


@pytest.mark.parametrize("limits", [{"nvidia.com/gpu": 1}, {"amd.com/gpu": 0}, {"rdma/hca": 1}])
def test_what_is_offered_or_no_gpu_passes(found: Found, gpu_pod: MakePod, limits: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []
