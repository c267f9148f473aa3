"""What changes of workloads do, and of what stands around their pods."""

from gpuplane.plan import sources
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, CHANGED, EITHER_SIDE, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_DEPLOYMENT = ("Deployment.apps",)
_DAEMON_SET = ("DaemonSet.apps",)
_STATEFUL_SET = ("StatefulSet.apps",)
_JOB = ("Job.batch",)
_CRON_JOB = ("CronJob.batch",)
_LASTING = (*_DEPLOYMENT, *_DAEMON_SET, *_STATEFUL_SET)
_SCALER = ("HorizontalPodAutoscaler.autoscaling",)
_BUDGET = ("PodDisruptionBudget.policy",)
_SERVICE = ("Service",)

_ON_DELETE = "OnDelete"


def _waits_for_deletion(change: ObjectChange) -> bool:
    return bool(value_at(change.after, "spec", "updateStrategy", "type") == _ON_DELETE)


def _begins_to_roll(change: ObjectChange, field: ChangedField) -> bool:
    return field.old == _ON_DELETE and not _waits_for_deletion(change)


ROWS: tuple[AnyRow, ...] = (
    Row(
        (*_LASTING, *_JOB, *_CRON_JOB, "Pod"),
        Verdict.SAFE,
        "New pods start; none that runs is touched.",
        sources.DOCS_DEPLOYMENTS,
        changes=ADDED,
    ),
    Row(
        (*_LASTING, *_JOB, "Pod"),
        Verdict.DISRUPTIVE,
        "Its pods are deleted with it.",
        sources.DOCS_GARBAGE,
        changes=REMOVED,
    ),
    Row(
        _CRON_JOB,
        Verdict.ROLLING,
        "It no longer runs; jobs of it that still run are deleted with it.",
        sources.DOCS_CRON_JOBS,
        changes=REMOVED,
    ),
    Row(
        (*_DAEMON_SET, *_STATEFUL_SET),
        Verdict.SAFE,
        "Its update strategy is OnDelete: a pod is replaced only once somebody deletes it.",
        sources.DOCS_DAEMON_SETS,
        fields=("spec.template",),
        object_condition=_waits_for_deletion,
    ),
    Row(
        (*_DAEMON_SET, *_STATEFUL_SET),
        Verdict.ROLLING,
        "It was OnDelete: pods that are not as the template says are replaced from now on.",
        sources.DOCS_DAEMON_SETS,
        fields=("spec.updateStrategy",),
        field_condition=_begins_to_roll,
    ),
    Row(
        _DEPLOYMENT,
        Verdict.ROLLING,
        "Its pods are replaced, as many at once as its strategy says.",
        sources.DOCS_DEPLOYMENTS,
        fields=("spec.template",),
    ),
    Row(
        _DAEMON_SET,
        Verdict.ROLLING,
        "Its pods are replaced, as many nodes at once as its update strategy says.",
        sources.DOCS_DAEMON_SETS,
        fields=("spec.template",),
    ),
    Row(
        _STATEFUL_SET,
        Verdict.ROLLING,
        "Its pods are replaced one after another, the last first.",
        sources.DOCS_STATEFUL_SETS,
        fields=("spec.template",),
    ),
    Row(
        _LASTING,
        Verdict.ROLLING,
        "{old} becomes {new}: pods are started or stopped, and no other one is touched.",
        sources.DOCS_DEPLOYMENTS,
        fields=("spec.replicas", "spec.ordinals"),
    ),
    Row(
        _LASTING,
        Verdict.SAFE,
        "{old} becomes {new}: it says how the next change of the pods is rolled out.",
        sources.DOCS_DEPLOYMENTS,
        fields=(
            "spec.strategy",
            "spec.updateStrategy",
            "spec.minReadySeconds",
            "spec.progressDeadlineSeconds",
            "spec.revisionHistoryLimit",
            "spec.persistentVolumeClaimRetentionPolicy",
        ),
    ),
    Row(
        _JOB,
        Verdict.ROLLING,
        "{old} becomes {new}: pods that run stay, or are stopped where they are too many.",
        sources.DOCS_JOBS,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _CRON_JOB,
        Verdict.SAFE,
        "The next run is as it says; a job that runs stays as it is.",
        sources.DOCS_CRON_JOBS,
        fields=("spec",),
    ),
    Row(
        _SCALER,
        Verdict.ROLLING,
        "Pods are started or stopped at once, as far as the new bounds and metrics say.",
        sources.DOCS_AUTOSCALER,
        fields=("spec",),
        changes=CHANGED,
        is_certain=False,
    ),
    Row(
        _SCALER,
        Verdict.ROLLING,
        "Replicas are no longer what they were: with it they follow load, without it they stay.",
        sources.DOCS_AUTOSCALER,
        changes=EITHER_SIDE,
        is_certain=False,
    ),
    Row(
        _BUDGET,
        Verdict.SAFE,
        "It decides from now on how many pods a drain may evict at once; no pod is evicted by it.",
        sources.DOCS_BUDGETS,
        fields=("spec",),
    ),
    Row(
        _BUDGET,
        Verdict.SAFE,
        "Drains have to keep to it from now on; no pod is evicted by it.",
        sources.DOCS_BUDGETS,
        changes=ADDED,
    ),
    Row(
        _BUDGET,
        Verdict.SAFE,
        "Nothing bounds any longer how many of its pods a drain evicts at once.",
        sources.DOCS_BUDGETS,
        changes=REMOVED,
    ),
    Row(
        _SERVICE,
        Verdict.SAFE,
        "It gets an address; nothing that runs is touched.",
        sources.DOCS_SERVICES,
        changes=ADDED,
    ),
    Row(
        _SERVICE,
        Verdict.DISRUPTIVE,
        "Clients of its name and address reach nothing any longer.",
        sources.DOCS_SERVICES,
        changes=REMOVED,
    ),
    Row(
        _SERVICE,
        Verdict.ROLLING,
        "Connections go to other pods or ports at once: {old} becomes {new}.",
        sources.DOCS_SERVICES,
        fields=("spec",),
        is_certain=False,
    ),
)
