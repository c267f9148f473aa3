"""Alerts on upgrades of the driver, which the operator does node by node."""

from charts_py.cluster_file.driver import DriverOwner
from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.metrics.gpu_operator import UPGRADES_DONE, UPGRADES_FAILED, UPGRADES_IN_PROGRESS
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.platform import Platform
from charts_py.platform.rule_group import RuleGroup

_LABEL = "nvidia.com/gpu-driver-upgrade-state"
_STUCK_HOURS = 1

UPGRADE_FAILED = Alert(
    name="GpuplaneDriverUpgradeFailed",
    expression=f"max({UPGRADES_FAILED}) > 0",
    lasting="5m",
    severity=Severity.WARNING,
    summary="The driver of {{ $value }} nodes could not be upgraded; they stay cordoned, and the"
    " upgrade of others stops once a quarter is.",
    remedy=f"Find them by `kubectl get nodes -L {_LABEL}`, and look at their pods of"
    f" nvidia-driver-daemonset. Once that is mended, set the label to `upgrade-required`.",
    source="Any is one too many: nothing tries again by itself"
    " (https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-driver-upgrades.html).",
)
UPGRADE_STUCK = Alert(
    name="GpuplaneDriverUpgradeStuck",
    expression=f"max({UPGRADES_IN_PROGRESS}) > 0"
    f" unless max(changes({UPGRADES_DONE}[{_STUCK_HOURS}h])) > 0",
    lasting=f"{_STUCK_HOURS}h",
    severity=Severity.WARNING,
    summary=f"The driver of {{{{ $value }}}} nodes is being upgraded, and none was done for"
    f" {_STUCK_HOURS} h.",
    remedy=f"Find them by `kubectl get nodes -L {_LABEL}`. Most likely a pod with GPUs cannot be"
    " evicted, by a PodDisruptionBudget or as nothing made it.",
    source="Pods with GPUs get 5 minutes to go, and the driver 21 to start: `upgradePolicy` and"
    " `startupProbe` in the chart's values.",
)
ALERTS = (UPGRADE_FAILED, UPGRADE_STUCK)

_GROUP = RuleGroup("gpu-driver", NAMESPACE, ALERTS)


def driver_rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return the alerts where the operator upgrades the driver and somebody scrapes that."""
    upgrades = platform.driver_owner is DriverOwner.OPERATOR
    return (_GROUP,) if upgrades and platform.monitoring.has_operator else ()
