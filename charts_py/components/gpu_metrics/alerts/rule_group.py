"""All that Prometheus records and alerts on by what DCGM measures."""

from charts_py.components.gpu_metrics.alerts import (
    cooling,
    exporter,
    links,
    memory,
    recovery,
    use,
)
from charts_py.components.gpu_metrics.alerts.errors import xid_alerts
from charts_py.components.gpu_metrics.thresholds import recorded_thresholds
from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.platform.alert import Alert
from charts_py.platform.platform import Platform
from charts_py.platform.rule_group import Rule, RuleGroup
from gpus.vendor import NVIDIA


def gpu_alerts() -> tuple[Alert, ...]:
    """Return every alert on NVIDIA GPUs."""
    return (
        *xid_alerts(),
        *recovery.ALERTS,
        *memory.ALERTS,
        *links.ALERTS,
        *cooling.ALERTS,
        *use.ALERTS,
        *exporter.ALERTS,
    )


def gpu_rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return thresholds and alerts of the pools with NVIDIA GPUs.

    Without teams there is no quota, by which it is told for which pool a pod waits.
    """
    thresholds = recorded_thresholds(platform.pools_of(NVIDIA))
    without = () if platform.cluster.teams else (use.LOW_USE,)
    alerts = (alert for alert in gpu_alerts() if alert not in without)
    rules: tuple[Rule, ...] = (*thresholds, use.LAST_USED, *alerts)
    return (RuleGroup("gpu-metrics", NAMESPACE, rules, reads_other_namespaces=True),)
