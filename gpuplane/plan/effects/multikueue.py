"""What changes of MultiKueue do, by which a manager's jobs run in worker clusters."""

from gpuplane.plan import sources
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_CHECK = ("AdmissionCheck.kueue.x-k8s.io",)
_CONFIG = ("MultiKueueConfig.kueue.x-k8s.io",)
_CLUSTER = ("MultiKueueCluster.kueue.x-k8s.io",)
_CONTROLLER = "kueue.x-k8s.io/multikueue"

_UNFOLLOWED = (
    "run on there, but the manager no longer follows them: they do not finish here, and nobody "
    "deletes them there."
)


def _dispatches(change: ObjectChange) -> bool:
    return bool(value_at(change.before, "spec", "controllerName") == _CONTROLLER)


def _is_left_out(change: ObjectChange) -> bool:
    """Return whether a configuration stays that sends jobs elsewhere, and no longer here."""
    left = [
        value_at(document, "spec", "clusters") or ()
        for placed, document in change.cluster.after.items()
        if placed.key.kind == "MultiKueueConfig"
    ]
    return bool(left) and all(change.placed.key.name not in clusters for clusters in left)


def _loses_a_worker(_: ObjectChange, field: ChangedField) -> bool:
    old, new = ([] if isinstance(each, str) else each for each in (field.old, field.new))
    return not set(old) <= set(new)


ROWS: tuple[AnyRow, ...] = (
    Row(
        (*_CONFIG, *_CLUSTER),
        Verdict.SAFE,
        "Jobs can be sent to worker clusters by it from now on.",
        sources.KUEUE_MULTIKUEUE,
        changes=ADDED,
    ),
    Row(
        _CHECK,
        Verdict.DISRUPTIVE,
        f"Jobs that it sent to worker clusters {_UNFOLLOWED}",
        sources.KUEUE_MULTIKUEUE_JOBS,
        changes=REMOVED,
        object_condition=_dispatches,
        is_certain=False,
    ),
    Row(
        _CONFIG,
        Verdict.DISRUPTIVE,
        f"Queues that send jobs by it admit nothing. Those that run in worker clusters "
        f"{_UNFOLLOWED}",
        sources.KUEUE_MULTIKUEUE_JOBS,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _CLUSTER,
        Verdict.DISRUPTIVE,
        "Jobs that run in this worker cluster are evicted here and start anew in another one; "
        "nobody deletes their copies there, which run on.",
        sources.KUEUE_MULTIKUEUE_JOBS,
        changes=REMOVED,
        object_condition=_is_left_out,
        is_certain=False,
    ),
    Row(
        _CLUSTER,
        Verdict.DISRUPTIVE,
        f"Jobs that run in this worker cluster {_UNFOLLOWED}",
        sources.KUEUE_MULTIKUEUE_JOBS,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _CONFIG,
        Verdict.DISRUPTIVE,
        "{old} becomes {new}: jobs that run in a worker cluster that is left out are evicted here "
        "and start anew in another one; nobody deletes their copies there, which run on.",
        sources.KUEUE_MULTIKUEUE_JOBS,
        fields=("spec.clusters",),
        field_condition=_loses_a_worker,
        is_certain=False,
    ),
    Row(
        (*_CONFIG, *_CLUSTER),
        Verdict.SAFE,
        "Admitted jobs run on; it decides where others are sent from now on.",
        sources.KUEUE_MULTIKUEUE,
        fields=("spec",),
        is_certain=False,
    ),
)
