"""Alerts on AMD GPUs."""

from charts_py.components.amd_device_config.alerts import RULE_GROUP
from charts_py.components.amd_device_config.definition import AMD_DEVICE_CONFIG


def test_they_stand_beside_the_exporter_and_read_what_kube_state_metrics_serves() -> None:
    assert AMD_DEVICE_CONFIG.namespace == RULE_GROUP.namespace
    assert RULE_GROUP.reads_other_namespaces
