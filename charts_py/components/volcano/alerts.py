"""Alerts on the parts of Volcano, without any of which no new GPU pod of a team starts."""

from charts_py.components.job_alerts import operator_down
from charts_py.components.volcano.names import NAMESPACE, VOLCANO
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_NO_NEW_POD = "no new GPU pod starts in the namespaces of teams, and no job of Volcano's own"


def _down(name: str, part: str, effect: str) -> Alert:
    return operator_down(name, f"{VOLCANO}-{part}", NAMESPACE, effect, Severity.CRITICAL)


ALERTS = (
    _down(
        "GpuplaneVolcanoSchedulerDown",
        "scheduler",
        "no GPU pod starts in the namespaces of teams, and nobody gives back what others lent",
    ),
    # The scheduler passes over pods without a PodGroup. These make it, and are asked about it.
    _down("GpuplaneVolcanoControllersDown", "controllers", _NO_NEW_POD),
    _down("GpuplaneVolcanoAdmissionDown", "admission", f"{_NO_NEW_POD} is taken"),
)

RULE_GROUP = RuleGroup(VOLCANO, NAMESPACE, ALERTS, reads_other_namespaces=True)
