"""Alerts on the parts of KAI, without any of which no new GPU pod of a team starts.

Its operator makes the Deployments
(https://github.com/kai-scheduler/KAI-Scheduler, pkg/operator/operands at v0.17.0). While the
operator itself is away they stay as they are.
"""

from charts_py.components.job_alerts import operator_down
from charts_py.components.kai_scheduler.names import KAI_SCHEDULER, NAMESPACE
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_SHARD = "default"
"""The SchedulingShard of the chart: the nodes that one scheduler serves, which is all of them."""
_NO_NEW_POD = "no new GPU pod starts in the namespaces of teams"


def _down(name: str, deployment: str, effect: str) -> Alert:
    return operator_down(name, deployment, NAMESPACE, effect, Severity.CRITICAL)


ALERTS = (
    _down(
        "GpuplaneKaiSchedulerDown",
        f"{KAI_SCHEDULER}-{_SHARD}",
        "no GPU pod starts in the namespaces of teams, and nobody gives back what others lent",
    ),
    # It carries out what the scheduler decides.
    _down("GpuplaneKaiBinderDown", "binder", "no GPU pod starts in the namespaces of teams"),
    # The scheduler passes over pods without a PodGroup. The first makes it, and the second is asked
    # about it.
    _down("GpuplaneKaiPodGrouperDown", "pod-grouper", _NO_NEW_POD),
    _down("GpuplaneKaiPodGroupControllerDown", "podgroup-controller", _NO_NEW_POD),
    _down(
        "GpuplaneKaiAdmissionDown", "admission", "no GPU pod is created in the namespaces of teams"
    ),
)

RULE_GROUP = RuleGroup(KAI_SCHEDULER, NAMESPACE, ALERTS, reads_other_namespaces=True)
