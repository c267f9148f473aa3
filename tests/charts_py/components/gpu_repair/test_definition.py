"""Where pods of repair run, and when somebody is told of what it leaves."""

import pytest

from charts_py.components.gpu_repair.definition import GPU_REPAIR
from tests.charts_py.fixture_types import PlatformWith

ALERTS = ["GpuplaneRepairStopped", "GpuplaneNodeNeedsRepair"]


@pytest.mark.parametrize(
    ("name", "action", "namespaces", "alerts"),
    [
        ("repair-reboot", "act", ["gpuplane-reboot"], ALERTS),
        ("repair-reboot", "observe", [], []),
        ("repair-replace", "act", [], ALERTS),
    ],
)
def test_only_what_reboots_has_a_privileged_namespace_and_only_what_acts_an_alert(
    name: str, action: str, namespaces: list[str], alerts: list[str], platform_after: PlatformWith
) -> None:
    platform = platform_after(name, ("repair: act", f"repair: {action}"))
    assert GPU_REPAIR.contributes is not None
    made = GPU_REPAIR.contributes(platform).namespaces
    assert [(each.name, each.pod_security) for each in made] == [
        (each, "privileged") for each in namespaces
    ]
    groups = GPU_REPAIR.rules.groups(platform)
    assert [rule.rule()["alert"] for group in groups for rule in group.rules] == alerts
