"""Alerts on KubeRay's operator, and on what it runs for teams."""

from charts_py.components.job_alerts import half_started, operator_down
from charts_py.components.kuberay_operator.values import KUBERAY_OPERATOR, NAMESPACE
from charts_py.metrics.kuberay import JOB_STATUS
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.platform import Platform
from charts_py.platform.rule_group import RuleGroup

_FAILED = f'{JOB_STATUS}{{deployment_status="Failed"}}'

JOB_FAILED = Alert(
    name="GpuplaneRayJobFailed",
    expression=f"sum by (namespace, name) ({_FAILED}"
    f" unless on (namespace, name, uid) last_over_time({_FAILED}[2h] offset 1h)) > 0",
    lasting="0m",
    severity=Severity.INFO,
    summary="RayJob {{ $labels.name }} in {{ $labels.namespace }} has failed.",
    remedy="`kubectl describe rayjob` says how, and the log of its submitter pod why. Where it"
    " still has a RayCluster that holds GPUs, set `shutdownAfterJobFinishes`.",
    source="Told for an hour; the status stays as long as the RayJob.",
)

_ALWAYS = (
    operator_down(
        "GpuplaneRayOperatorDown",
        KUBERAY_OPERATOR,
        NAMESPACE,
        "no RayCluster, RayJob or RayService is made, changed or ended",
    ),
    half_started("GpuplaneRayClusterHalfStarted", ("RayCluster",)),
)
_SCRAPED = (JOB_FAILED,)

ALERTS = (*_ALWAYS, *_SCRAPED)


def rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return the alerts; Google's collection renames the namespaces of RayJobs."""
    known = ALERTS if platform.monitoring.has_operator else _ALWAYS
    return (RuleGroup(KUBERAY_OPERATOR, NAMESPACE, known, reads_other_namespaces=True),)
