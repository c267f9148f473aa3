"""Which jobs of teams the API server does not delete, since their pods would run uncounted."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.components.kueue.managed_kinds import MANAGED
from charts_py.components.kueue_queues.kept_dependents import KEPT_DEPENDENTS
from charts_py.components.kueue_queues.trusted import IS_CONTROLLER, MAY_ADMIT
from tests.charts_py.components.kueue_queues.refusals import refusals_to_delete

SUSPENDING_PARENT = "kueue.x-k8s.io/pod-suspending-parent"
LEADER_WORKER_SET = "leaderworkerset.x-k8s.io/leaderworkerset"
ORPHAN = {"propagationPolicy": "Orphan"}
REFUSED = [
    "no queue would count the pods that are left; delete them with it (without `--cascade=orphan`)."
]


def _object(kind: str, *finalizers: str, parent: str | None = None) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": "work", "namespace": "team"}
    if finalizers:
        metadata["finalizers"] = list(finalizers)
    annotations = {} if parent is None else {"annotations": {SUSPENDING_PARENT: parent}}
    return {"kind": kind, "metadata": metadata, "spec": {"template": {"metadata": annotations}}}


@pytest.mark.parametrize(
    ("deleted", "options", "found"),
    [
        (_object("Job"), None, []),
        (_object("Job"), {}, []),
        (_object("Job"), {"propagationPolicy": "Background"}, []),
        (_object("Job"), {"propagationPolicy": "Foreground"}, []),
        (_object("Job"), {"orphanDependents": False}, []),
        (_object("Job", "foregroundDeletion"), None, []),
        (_object("Job"), ORPHAN, REFUSED),
        # Deprecated, and obeyed still.
        (_object("Job"), {"orphanDependents": True}, REFUSED),
        # Whoever can update an object can have it deleted like this by everybody.
        (_object("Job", "orphan"), None, REFUSED),
        (_object("Job", "example.com/own", "orphan"), {}, REFUSED),
        (_object("RayCluster"), ORPHAN, REFUSED),
        # Kueue counts the pods of a StatefulSet one by one, unless it is part of something else.
        (_object("StatefulSet"), ORPHAN, []),
        (_object("StatefulSet", parent="statefulset"), ORPHAN, []),
        (_object("StatefulSet", parent=LEADER_WORKER_SET), ORPHAN, REFUSED),
        (_object("StatefulSet", "orphan", parent=LEADER_WORKER_SET), None, REFUSED),
        (_object("StatefulSet", parent=LEADER_WORKER_SET), None, []),
        (_object("LeaderWorkerSet"), ORPHAN, REFUSED),
        # Of others, the annotation says nothing.
        (_object("Job", parent="statefulset"), ORPHAN, REFUSED),
    ],
)
def test_a_job_is_not_deleted_without_its_pods(
    deleted: dict[str, Any], options: dict[str, Any] | None, found: list[str]
) -> None:
    assert refusals_to_delete(KEPT_DEPENDENTS, deleted, options) == found


def test_who_lets_jobs_start_may_leave_their_pods() -> None:
    assert refusals_to_delete(KEPT_DEPENDENTS, _object("Job"), ORPHAN, MAY_ADMIT) == []
    assert refusals_to_delete(KEPT_DEPENDENTS, _object("Job"), ORPHAN, IS_CONTROLLER) == REFUSED


def test_every_kind_is_judged_whose_pods_kueue_counts_together() -> None:
    (rule,) = KEPT_DEPENDENTS.spec()["matchConstraints"]["resourceRules"]
    pod_by_pod = {"Deployment", "Pod"}
    together = {f"{each.kind.lower()}s" for each in MANAGED if each.kind not in pod_by_pod}
    looked_through = {"appwrappers", "sparkapplications"}
    assert rule["operations"] == ["DELETE"]
    assert rule["resources"] == sorted({*together, *looked_through})
