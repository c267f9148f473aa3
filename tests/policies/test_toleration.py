from typing import Any

import pytest

from gpus.taint import Taint
from policies.toleration import tolerates, untolerated

TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")


@pytest.mark.parametrize(
    "toleration",
    [
        {"operator": "Exists"},
        {"operator": "Exists", "effect": "NoSchedule"},
        {"key": "nvidia.com/gpu", "operator": "Exists"},
        {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present"},
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},
        {"key": "nvidia.com/gpu", "operator": None, "value": "present", "effect": None},
    ],
)
def test_a_toleration_tolerates(toleration: Any) -> None:
    assert tolerates(toleration, TAINT)


@pytest.mark.parametrize(
    "toleration",
    [
        {},
        None,
        "Exists",
        {"key": "amd.com/gpu", "operator": "Exists"},
        {"key": "nvidia.com/gpu"},
        {"key": "nvidia.com/gpu", "value": "absent"},
        {"key": "nvidia.com/gpu", "operator": "Equal", "value": "absent"},
        {"operator": "Exists", "effect": "NoExecute"},
        {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoExecute"},
        {"key": "nvidia.com/gpu", "operator": "Gt", "value": "1"},
        {"operator": "Equal", "value": "present"},
        {"key": ["nvidia.com/gpu"], "operator": "Exists"},
    ],
)
def test_a_toleration_does_not_tolerate(toleration: Any) -> None:
    assert not tolerates(toleration, TAINT)


def test_a_taint_that_only_prefers_keeps_no_pod_off() -> None:
    soft = Taint("nvidia.com/gpu", "present", "PreferNoSchedule")
    assert untolerated([soft, TAINT], []) == [TAINT]
