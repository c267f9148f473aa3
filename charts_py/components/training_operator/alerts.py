"""Alerts on the training operator, and on the jobs that it runs for teams."""

from charts_py.components.job_alerts import grown_in_an_hour, half_started, operator_down
from charts_py.components.training_operator.names import KINDS, NAMESPACE, TRAINING_OPERATOR
from charts_py.metrics.training_operator import JOBS_FAILED, JOBS_RESTARTED
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_RESTARTS = 3
_OF_FRAMEWORK = "job_namespace, framework"


JOBS_FAIL = Alert(
    name="GpuplaneTrainingJobFailed",
    expression=f"{grown_in_an_hour(JOBS_FAILED, _OF_FRAMEWORK)} > 0",
    lasting="0m",
    severity=Severity.INFO,
    summary="A {{ $labels.framework }} job in {{ $labels.job_namespace }} has failed.",
    remedy="The job's conditions say of which pod it failed, and that pod's log why.",
    source="Any is told, for an hour: a job that failed starts no more by itself.",
)
JOBS_RESTART = Alert(
    name="GpuplaneTrainingJobRestarts",
    expression=f"{grown_in_an_hour(JOBS_RESTARTED, _OF_FRAMEWORK)} >= {_RESTARTS}",
    lasting="0m",
    severity=Severity.WARNING,
    summary="{{ $labels.framework }} jobs in {{ $labels.job_namespace }} were restarted"
    ' {{ $value | printf "%.0f" }} times within an hour: what they did since their last'
    " checkpoint is lost each time.",
    remedy="Look at why their pods end: `kubectl describe` of the job, the logs of earlier pods,"
    " and whether it is always the same node.",
    source=f"{_RESTARTS} an hour are more than nodes that are drained one after another make.",
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
    JOBS_RESTART,
)

RULE_GROUP = RuleGroup(TRAINING_OPERATOR, NAMESPACE, ALERTS, reads_other_namespaces=True)
