"""When the controllers that the platform installs do not run, or soon have too little memory.

What stops without each of them stands in the row of its chart. It is nothing but rules, which stand
with those of the others in the component `monitoring`.
"""

from functools import partial

from charts_py.components.alert_tables import Rules, read_alerts
from charts_py.components.definition import rules_alone
from charts_py.platform.metrics_collection import Alert, RuleGroup
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE

_NAME = "controller-availability"
_SCHEDULING_DOWN = "GpuplaneSchedulingDown"
_NEAR_LIMIT = "GpuplaneControllerNearMemoryLimit"


def _has_alert(platform: Platform, alert: Alert) -> bool:
    """Return whether a platform has what an alert is on: Deployments that start pods, or others."""
    if alert.name == _NEAR_LIMIT:
        return True
    starts_pods = alert.name == _SCHEDULING_DOWN
    return any((not each.effect) is starts_pods for each in platform.contribution.controllers)


def _alerts(namespaces: str) -> tuple[Alert, ...]:
    return read_alerts(__package__, "controller_availability", namespaces=namespaces)


def _groups(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return what is alerted on; of memory in namespaces alone that are the platform's own."""
    own = sorted({each.name for each in platform.contribution.namespaces})
    alerts = (alert for alert in _alerts("|".join(own)) if _has_alert(platform, alert))
    group = RuleGroup(_NAME, KUBE_SYSTEM_NAMESPACE, tuple(alerts), reads_other_namespaces=True)
    return (group,)


CONTROLLER_AVAILABILITY = rules_alone(_NAME, __doc__, (), Rules(_groups, partial(_alerts, ".+")))
