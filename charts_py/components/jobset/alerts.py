"""Alerts on JobSet, and on the JobSets of teams."""

from charts_py.components.authorized_metrics import authorized_metrics
from charts_py.components.job_alerts import grown_in_an_hour, operator_down
from charts_py.components.jobset.values import DEPLOYMENT, JOBSET_NAME, NAMESPACE, SELECTOR
from charts_py.components.scraped_by_operator import scraped_by_operator
from charts_py.metrics.jobset import FAILED
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.platform import Platform
from charts_py.platform.rule_group import RuleGroup

scraped = scraped_by_operator(
    authorized_metrics(f"{JOBSET_NAME}-metrics-service", NAMESPACE, SELECTOR, honors_labels=True)
)

JOBSET_FAILED = Alert(
    name="GpuplaneJobSetFailed",
    expression=f"{grown_in_an_hour(FAILED, 'namespace, jobset_name')} > 0",
    lasting="0m",
    severity=Severity.INFO,
    summary="JobSet {{ $labels.jobset_name }} in {{ $labels.namespace }} has failed.",
    remedy="`kubectl describe jobset` says by which of its jobs, and the log of its pods why. A"
    " TrainJob has a JobSet of its name.",
    source="Any is told, for an hour: a JobSet that failed starts no more by itself.",
)

_ALWAYS = (
    operator_down(
        "GpuplaneJobSetDown",
        DEPLOYMENT,
        NAMESPACE,
        "no JobSet and no TrainJob is started, restarted or ended, and none of their pods start",
    ),
)

ALERTS = (*_ALWAYS, JOBSET_FAILED)


def rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return the alerts; those of its own metrics where it is scraped."""
    known = ALERTS if platform.monitoring.has_operator else _ALWAYS
    return (RuleGroup(JOBSET_NAME, NAMESPACE, known, reads_other_namespaces=True),)
