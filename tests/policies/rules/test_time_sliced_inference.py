from __future__ import annotations

from collections.abc import Callable

from policies.document import Document
from policies.finding import Finding
from policies.rules.time_sliced_inference import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


SHARED = {"resources": {"limits": {"nvidia.com/gpu.shared": 1}}}


def test_inference_on_a_time_sliced_gpu_is_warned_about(found: Found, gpu_pod: MakePod) -> None:
    assert _messages(found(RULE, gpu_pod(SHARED), "serving")) == [
        (
            "/spec/containers The pod serves users on nvidia.com/gpu.shared, where pods take "
            "turns on a GPU. Use a whole GPU or a MIG instance, which no other pod delays."
        )
    ]


def test_other_purposes_and_other_gpus_pass(found: Found, gpu_pod: MakePod) -> None:
    assert found(RULE, gpu_pod(SHARED), "training") == []
    assert found(RULE, gpu_pod(), "serving") == []
