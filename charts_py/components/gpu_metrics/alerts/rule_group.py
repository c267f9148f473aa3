"""All that Prometheus alerts on by what DCGM measures of the health of GPUs."""

from charts_py.components.gpu_metrics.alerts import (
    cooling,
    exporter,
    links,
    memory,
    recovery,
)
from charts_py.components.gpu_metrics.alerts.errors import xid_alerts
from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.platform.alert import Alert
from charts_py.platform.rule_group import RuleGroup


def gpu_alerts() -> tuple[Alert, ...]:
    """Return every alert on NVIDIA GPUs."""
    return (
        *xid_alerts(),
        *recovery.ALERTS,
        *memory.ALERTS,
        *links.ALERTS,
        *cooling.ALERTS,
        *exporter.ALERTS,
    )


def gpu_rules() -> tuple[RuleGroup, ...]:
    """Return them as a group, which reads thresholds and pools of what is recorded of use."""
    return (RuleGroup("gpu-metrics", NAMESPACE, gpu_alerts(), reads_other_namespaces=True),)
