from __future__ import annotations

from collections.abc import Callable

from policies.document import Document
from policies.finding import Finding
from policies.rules.memory_limit import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


def test_a_missing_limit_is_warned_about(found: Found, gpu_pod: MakePod) -> None:
    assert _messages(found(RULE, gpu_pod())) == [
        (
            "/spec/containers/0/resources/limits The container train asks for a GPU and has no "
            "memory "
            "limit. Set spec.containers[0].resources.limits.memory."
        )
    ]


def test_a_limit_of_container_or_pod_passes(found: Found, gpu_pod: MakePod) -> None:
    limits = {"nvidia.com/gpu": 1, "memory": "1Gi"}
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []
    assert found(RULE, gpu_pod(resources={"limits": {"memory": "1Gi"}})) == []
    assert found(RULE, gpu_pod({"resources": {}})) == []
