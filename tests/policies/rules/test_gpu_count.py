from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.rules.gpu_count import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        ("0.5", "0.5 of nvidia.com/gpu in limits, which is not whole"),
        (0.5, "0.5 of nvidia.com/gpu in limits, which is not whole"),
        ("-1", "-1 of nvidia.com/gpu in limits, which is negative"),
        ("two", "two of nvidia.com/gpu in limits, which is not a quantity"),
        ([1], "an array of nvidia.com/gpu in limits, which is not a quantity"),
    ],
)
def test_an_amount_is_refused(found: Found, gpu_pod: MakePod, amount: Any, said: str) -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gpu": amount}}})
    assert _messages(found(RULE, pod)) == [
        (
            "/spec/containers/0/resources/limits/nvidia.com~1gpu The container train asks for "
            f"{said}. "
            "Ask for a whole number of GPUs, such as 1."
        )
    ]


@pytest.mark.parametrize("amount", [0, 1, "8", "1e1", "1000m", None])
def test_an_amount_passes(found: Found, gpu_pod: MakePod, amount: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": {"nvidia.com/gpu": amount}}})) == []
