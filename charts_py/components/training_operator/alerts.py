"""Alerts on the training operator, and on the jobs that it runs for teams."""

from charts_py.components.job_alerts import (
    grown_in_an_hour,
    half_started,
    operator_down,
    restarts,
)
from charts_py.components.training_operator.names import KINDS, NAMESPACE, TRAINING_OPERATOR
from charts_py.metrics.training_operator import JOBS_FAILED
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_OF_FRAMEWORK = "job_namespace, framework"


JOBS_FAIL = Alert(
    name="GpuplaneTrainingJobFailed",
    expression=f"{grown_in_an_hour(JOBS_FAILED, _OF_FRAMEWORK)} > 0",
    lasting="0m",
    severity=Severity.INFO,
    summary="A {{ $labels.framework }} job in {{ $labels.job_namespace }} has failed.",
    remedy="The job's conditions say of which pod it failed, and that pod's log why.",
    source="Told for an hour: a job that failed starts no more by itself. The operator counts"
    " those that a pod ends which is not restarted, and none that end by `backoffLimit` or"
    " `activeDeadlineSeconds` (pkg/controller.v1/common/job.go).",
)
ALERTS = (
    operator_down(
        "GpuplaneTrainingOperatorDown",
        TRAINING_OPERATOR,
        NAMESPACE,
        "no job of Kubeflow's first version is accepted, started or ended",
    ),
    half_started("GpuplaneTrainingJobHalfStarted", KINDS),
    JOBS_FAIL,
    restarts("GpuplaneTrainingJobRestarts", KINDS),
)

RULE_GROUP = RuleGroup(TRAINING_OPERATOR, NAMESPACE, ALERTS, reads_other_namespaces=True)
