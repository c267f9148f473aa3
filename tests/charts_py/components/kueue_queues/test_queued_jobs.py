"""Which jobs of teams the API server refuses, since they would start past their queue."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.components.kueue.managed_kinds import MANAGED
from charts_py.components.kueue_queues.ownership import KINDS
from charts_py.components.kueue_queues.queued_jobs import QUEUED_JOBS
from tests.charts_py.components.kueue_queues.refusals import refusals

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
