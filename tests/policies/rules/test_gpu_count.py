from typing import Any

import pytest

from policies.rules.gpu_count import RULE
from tests.policies.conftest import found, gpu_pod, message


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
def test_an_amount_is_refused(amount: Any, said: str) -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gpu": amount}}})
    assert message(found(RULE, pod)) == (
        "/spec/containers/0/resources/limits/nvidia.com~1gpu The container train asks for "
        f"{said}. Ask for a whole number of GPUs, such as 1."
    )


@pytest.mark.parametrize("amount", [0, 1, "8", "1e1", "1000m", None])
def test_an_amount_passes(amount: Any) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": {"nvidia.com/gpu": amount}}})) == []
