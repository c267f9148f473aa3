from __future__ import annotations

from collections.abc import Callable

from policies.document import Document
from policies.finding import Finding
from policies.rules.host_ipc import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


def test_the_nodes_memory_is_refused(found: Found, gpu_pod: MakePod) -> None:
    assert _messages(found(RULE, gpu_pod(hostIPC=True))) == [
        (
            "/spec/hostIPC The pod sets spec.hostIPC, which shares memory with the whole node. "
            "Remove it: /dev/shm is sized for the pod."
        )
    ]


def test_without_it_a_pod_passes(found: Found, gpu_pod: MakePod) -> None:
    assert found(RULE, gpu_pod(hostIPC=False)) == []
