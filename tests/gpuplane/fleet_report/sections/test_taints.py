"""Which tolerations match a taint."""

from collections.abc import Mapping

import pytest

from gpuplane.fleet_report.sections.taints import tolerates
from gpus.taint import Taint

TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "matches"),
    [
        ({"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Exists"}, True),
        ({"operator": "Exists"}, True),
        ({"operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "nvidia.com/gpu", "value": "absent"}, False),
        ({"key": "amd.com/gpu", "operator": "Exists"}, False),
        ({"key": "nvidia.com/gpu", "operator": "Gt", "value": "1"}, False),
        ({}, False),
    ],
)
def test_a_toleration_matches_as_kubernetes_says(
    toleration: Mapping[str, str], matches: bool
) -> None:
    assert tolerates(toleration, TAINT) is matches
