from __future__ import annotations

from collections.abc import Callable

from policies.document import Document
from policies.finding import Finding
from policies.rules.device_claim import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


def test_both_ways_are_refused(found: Found, gpu_pod: MakePod) -> None:
    assert _messages(found(RULE, gpu_pod(resourceClaims=[{"name": "gpu"}]))) == [
        (
            "/spec/resourceClaims The pod asks for nvidia.com/gpu and holds resource claims as "
            "well. "
            "Keep either the GPU resource or the claims."
        )
    ]


def test_either_way_passes(found: Found, gpu_pod: MakePod) -> None:
    assert found(RULE, gpu_pod()) == []
    assert found(RULE, gpu_pod({"resources": {}}, resourceClaims=[{"name": "gpu"}])) == []
