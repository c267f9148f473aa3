"""When the controllers that the platform installs do not run.

What stops without each of them stands in the row of its chart. It is nothing but rules, which stand
with those of the others in the component `monitoring`.
"""

from charts_py.components.alert_tables import alert_table
from charts_py.components.definition import Definition, no_applications
from charts_py.platform.metrics_collection import Alert
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave

_NAME = "controller-availability"
_SCHEDULING_DOWN = "GpuplaneSchedulingDown"


def _has_alert(platform: Platform, alert: Alert) -> bool:
    """Return whether a platform has what an alert is on: Deployments that start pods, or others."""
    starts_pods = alert.name == _SCHEDULING_DOWN
    return any((not each.effect) is starts_pods for each in platform.contribution.controllers)


CONTROLLER_AVAILABILITY = Definition(
    name=_NAME,
    description=__doc__,
    appears="unless the cluster leaves monitoring to others",
    is_wanted=lambda platform: platform.monitoring.prometheus is not None,
    fields=("addons.monitoring.prometheus", "addons.monitoring.serviceMonitors"),
    wave=Wave.EXTENSIONS,
    parts=no_applications,
    rules=alert_table(
        _NAME, KUBE_SYSTEM_NAMESPACE, __package__, "controller_availability", has=_has_alert
    ),
)
