"""Which jobs of teams the API server refuses, since they would start past their queue."""

import json
from typing import Any

import pytest

from charts_py.components.kueue.api import API_VERSION, MANAGED
from charts_py.components.kueue.queue_policies import (
    IS_CONTROLLER,
    KEPT,
    KEPT_DEPENDENTS,
    KINDS,
    MAY_ADMIT,
    QUEUED_JOBS,
    QUEUED_WORKLOADS,
)
from tests.charts_py.components.kueue.refusals import refusals, refusals_to_delete
from upstream.schema import schema_path
from upstream.schema_files import CRDS, committed_schemas

KUEUE = "kueue.x-k8s.io"
PREBUILT = f"{KUEUE}/prebuilt-workload-name"
ELASTIC = {f"{KUEUE}/elastic-job": "true"}
CONTROLLED = (
    "what another job or pod controls waits in no queue, so that only controllers make such; leave"
    " `controller: true` out of its metadata.ownerReferences."
)
OF_ANOTHER_JOB = f"{PREBUILT} takes a Workload from the job that it stands for; leave it out."
STARTED = (
    "Kueue ends the suspension of a job once its queue has room for it; `kubectl describe workload`"
    " says what it waits for."
)
RESIZED = (
    f"Kueue counts an elastic job ({KUEUE}/elastic-job) by the templates that it came with; make a"
    " new one."
)
OF_ITS_CONTROLLER = (
    "Kueue counts what another job controls by the spec of that job, and not by its own; change"
    " that job, and leave this to its controller."
)
REPLACES_EARLY = (
    "a pod that is deleted holds its GPUs until it has ended, and Kueue counts none for the one"
    " that a Job makes in its place before; set spec.podReplacementPolicy: Failed."
)
PART_OF_ANOTHER = (
    f"in a StatefulSet's template, {KUEUE}/pod-suspending-parent is of controllers that make"
    " StatefulSets; leave this annotation out."
)


def _object(kind: str = "Job", spec: Any = None, **metadata: Any) -> dict[str, Any]:
    named = {"name": "work", "namespace": "team", **metadata}
    return {"kind": kind, "metadata": named, "spec": spec or {}}


def _controller(api_version: str, kind: str) -> list[dict[str, Any]]:
    return [{"apiVersion": api_version, "kind": kind, "uid": "1", "controller": True}]


def _template(gpus: int, **annotations: str) -> dict[str, Any]:
    container = {"resources": {"limits": {"nvidia.com/gpu": gpus}}}
    return {"metadata": {"annotations": annotations}, "spec": {"containers": [container]}}


def _cluster(gpus: int, replicas: int = 1) -> dict[str, Any]:
    worker = {"groupName": "workers", "replicas": replicas, "template": _template(gpus)}
    return {"headGroupSpec": {"template": _template(0)}, "workerGroupSpecs": [worker]}


def _parent(name: str) -> dict[str, Any]:
    return {"template": _template(1, **{f"{KUEUE}/pod-suspending-parent": name})}


OWNED = _controller("jobset.x-k8s.io/v1alpha2", "JobSet")
OF_RAY = _controller("ray.io/v1", "RayJob")
EARLY, LATE = ({"podReplacementPolicy": each} for each in ("TerminatingOrFailed", "Failed"))


def _scaled(replicas: int, **annotations: str) -> dict[str, Any]:
    spec = {"enableInTreeAutoscaling": True, **_cluster(1, replicas)}
    return _object("RayCluster", spec, ownerReferences=OF_RAY, annotations=annotations)


@pytest.mark.parametrize(
    ("sent", "before", "why"),
    [
        (_object(spec=LATE), None, None),
        (_object(spec=EARLY), None, REPLACES_EARLY),
        (_object(spec=EARLY), _object(spec=LATE), REPLACES_EARLY),
        (_object(spec=EARLY), _object(spec=EARLY), None),
        # The API server states the default before policies read it.
        (_object(), None, None),
        (_object("JobSet", EARLY), None, None),
        (
            _object(spec={"parallelism": 100}, ownerReferences=OWNED),
            _object(spec={"parallelism": 4}, ownerReferences=OWNED),
            OF_ITS_CONTROLLER,
        ),
        (
            _object(spec={"parallelism": 4}, ownerReferences=OWNED, labels={"team": "a"}),
            _object(spec={"parallelism": 4}, ownerReferences=OWNED),
            None,
        ),
        (
            _object("RayCluster", _cluster(1, 12), ownerReferences=OF_RAY),
            _object("RayCluster", _cluster(1, 1), ownerReferences=OF_RAY),
            OF_ITS_CONTROLLER,
        ),
        (_scaled(12, **ELASTIC), _scaled(1, **ELASTIC), None),
        (_scaled(12, **ELASTIC), _scaled(1), OF_ITS_CONTROLLER),
        (_object(spec={"parallelism": 100}), _object(spec={"parallelism": 4}), None),
    ],
)
def test_a_job_has_no_more_pods_at_once_than_kueue_counts(
    sent: dict[str, Any], before: dict[str, Any] | None, why: str | None
) -> None:
    assert refusals(QUEUED_JOBS, sent, before) == ([] if why is None else [why])


@pytest.mark.parametrize(
    ("sent", "before", "why"),
    [
        (_object(), None, None),
        (_object(ownerReferences=_controller("argoproj.io/v1alpha1", "Workflow")), None, None),
        (_object(ownerReferences=_controller("batch/v1", "CronJob")), None, None),
        (_object(ownerReferences=_controller("batch/v1", "Job")), None, CONTROLLED),
        (_object(ownerReferences=_controller("batch/v1", "Job")), _object(), CONTROLLED),
        (_object(labels={PREBUILT: "others"}), None, OF_ANOTHER_JOB),
        (_object(annotations={PREBUILT: "others"}), _object(), OF_ANOTHER_JOB),
        # What another cluster's Kueue has made here is written by its own controllers, too.
        (_object(labels={PREBUILT: "own"}), _object(labels={PREBUILT: "own"}), None),
        (_object(spec={"suspend": True}), _object(spec={"suspend": False}), None),
        (_object(spec={"suspend": False}), _object(spec={"suspend": True}), STARTED),
        (_object(), _object(spec={"suspend": True}), STARTED),
        (_object("MPIJob"), _object("MPIJob", {"runPolicy": {"suspend": True}}), STARTED),
        (_object("StatefulSet", _parent("statefulset")), None, None),
        (_object("StatefulSet", _parent("leaderworkerset")), None, PART_OF_ANOTHER),
        (_object("Deployment", _parent("deployment")), None, None),
        (_object(spec={"template": _template(8)}), _object(spec={"template": _template(1)}), None),
        (
            _object(spec={"template": _template(8)}),
            _object(spec={"template": _template(1)}, annotations=ELASTIC),
            RESIZED,
        ),
        (_object("RayCluster", _cluster(8)), _object("RayCluster", _cluster(1)), None),
        (
            _object("RayCluster", _cluster(8)),
            _object("RayCluster", _cluster(1), annotations=ELASTIC),
            RESIZED,
        ),
        (
            _object("RayCluster", _cluster(1, replicas=4)),
            _object("RayCluster", _cluster(1), annotations=ELASTIC),
            None,
        ),
        (
            _object("RayJob", {"rayClusterSpec": _cluster(8)}),
            _object("RayJob", {"rayClusterSpec": _cluster(1)}, annotations=ELASTIC),
            RESIZED,
        ),
    ],
)
def test_a_job_says_nothing_by_which_kueue_would_not_count_it(
    sent: dict[str, Any], before: dict[str, Any] | None, why: str | None
) -> None:
    assert refusals(QUEUED_JOBS, sent, before) == ([] if why is None else [why])


def test_every_kind_that_kueue_starts_is_judged() -> None:
    managed = {each.kind for each in MANAGED}
    assert managed <= {each.rpartition("/")[2] for each in KINDS}
    (rule,) = QUEUED_JOBS.spec()["matchConstraints"]["resourceRules"]
    assert {f"{each.lower()}s" for each in managed - {"Pod"}} <= set(rule["resources"])


ONLY_ACTIVE = (
    "of a Workload, spec.active alone can be changed, which has Kueue try its job again; the rest "
    "follows from the job."
)


def _workload(metadata: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    return {
        "kind": "Workload",
        "metadata": {"namespace": "team", **(metadata or {})},
        "spec": {"podSets": [{"count": 2}], "active": True, **spec},
    }


@pytest.mark.parametrize(
    ("before", "after", "passes"),
    [
        (_workload(active=False), _workload(), True),
        (_workload(priority=1), _workload(priority=1, active=False), True),
        (_workload({"finalizers": ["a"]}), _workload(), False),
        (_workload(), _workload(priority=1000), False),
        (_workload(priority=1), _workload(priority=2), False),
        (_workload(), _workload(priorityClassRef={"name": "training"}), False),
        (_workload(), _workload(queueName="other"), False),
        (_workload(), _workload(podSets=[{"count": 1}]), False),
        (_workload(maximumExecutionTimeSeconds=60), _workload(), False),
        (_workload(preemptionGates=[{"name": "a"}]), _workload(preemptionGates=[]), False),
        (_workload(), _workload({"annotations": {"kueue.x-k8s.io/priority-boost": "9"}}), False),
        (_workload(), _workload({"labels": {"a": "b"}}), False),
        (_workload(), _workload({"ownerReferences": [{"uid": "1"}]}), False),
    ],
)
def test_it_can_be_tried_again_and_be_nothing_else(
    before: dict[str, Any], after: dict[str, Any], passes: bool
) -> None:
    assert refusals(QUEUED_WORKLOADS, after, before) == ([] if passes else [ONLY_ACTIVE])


def test_who_may_admit_jobs_changes_all_of_it() -> None:
    before, after = _workload({"finalizers": ["a"]}, priority=1), _workload(priority=2)
    assert refusals(QUEUED_WORKLOADS, after, before, MAY_ADMIT) == []


def test_every_field_is_kept_but_that_by_which_it_is_tried_again() -> None:
    file = committed_schemas() / CRDS / schema_path(API_VERSION, "Workload")
    fields = json.loads(file.read_bytes())["properties"]["spec"]["properties"]
    kept = [each.partition(".")[2].removeprefix("?") for each in KEPT if each.startswith("spec.")]
    assert sorted([*kept, "active"]) == sorted(fields)


SUSPENDING_PARENT = "kueue.x-k8s.io/pod-suspending-parent"
LEADER_WORKER_SET = "leaderworkerset.x-k8s.io/leaderworkerset"
ORPHAN = {"propagationPolicy": "Orphan"}
REFUSED = [
    "no queue would count the pods that are left; delete them with it (without `--cascade=orphan`)."
]


def _dependent(kind: str, *finalizers: str, parent: str | None = None) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": "work", "namespace": "team"}
    if finalizers:
        metadata["finalizers"] = list(finalizers)
    annotations = {} if parent is None else {"annotations": {SUSPENDING_PARENT: parent}}
    return {"kind": kind, "metadata": metadata, "spec": {"template": {"metadata": annotations}}}


@pytest.mark.parametrize(
    ("deleted", "options", "found"),
    [
        (_dependent("Job"), None, []),
        (_dependent("Job"), {}, []),
        (_dependent("Job"), {"propagationPolicy": "Background"}, []),
        (_dependent("Job"), {"propagationPolicy": "Foreground"}, []),
        (_dependent("Job"), {"orphanDependents": False}, []),
        (_dependent("Job", "foregroundDeletion"), None, []),
        (_dependent("Job"), ORPHAN, REFUSED),
        # Deprecated, and obeyed still.
        (_dependent("Job"), {"orphanDependents": True}, REFUSED),
        # Whoever can update an object can have it deleted like this by everybody.
        (_dependent("Job", "orphan"), None, REFUSED),
        (_dependent("Job", "example.com/own", "orphan"), {}, REFUSED),
        (_dependent("RayCluster"), ORPHAN, REFUSED),
        # Kueue counts the pods of a StatefulSet one by one, unless it is part of something else.
        (_dependent("StatefulSet"), ORPHAN, []),
        (_dependent("StatefulSet", parent="statefulset"), ORPHAN, []),
        (_dependent("StatefulSet", parent=LEADER_WORKER_SET), ORPHAN, REFUSED),
        (_dependent("StatefulSet", "orphan", parent=LEADER_WORKER_SET), None, REFUSED),
        (_dependent("StatefulSet", parent=LEADER_WORKER_SET), None, []),
        (_dependent("LeaderWorkerSet"), ORPHAN, REFUSED),
        # Of others, the annotation says nothing.
        (_dependent("Job", parent="statefulset"), ORPHAN, REFUSED),
    ],
)
def test_a_job_is_not_deleted_without_its_pods(
    deleted: dict[str, Any], options: dict[str, Any] | None, found: list[str]
) -> None:
    assert refusals_to_delete(KEPT_DEPENDENTS, deleted, options) == found


def test_who_lets_jobs_start_may_leave_their_pods() -> None:
    assert refusals_to_delete(KEPT_DEPENDENTS, _dependent("Job"), ORPHAN, MAY_ADMIT) == []
    assert refusals_to_delete(KEPT_DEPENDENTS, _dependent("Job"), ORPHAN, IS_CONTROLLER) == REFUSED


def test_every_kind_is_judged_whose_pods_kueue_counts_together() -> None:
    (rule,) = KEPT_DEPENDENTS.spec()["matchConstraints"]["resourceRules"]
    pod_by_pod = {"Deployment", "Pod"}
    together = {f"{each.kind.lower()}s" for each in MANAGED if each.kind not in pod_by_pod}
    looked_through = {"appwrappers", "sparkapplications"}
    assert rule["operations"] == ["DELETE"]
    assert rule["resources"] == sorted({*together, *looked_through})
