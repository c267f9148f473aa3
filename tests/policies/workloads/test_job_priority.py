"""Which class a job names, and which those of its pods are, in Python and in CEL."""

from typing import Any

import pytest

from charts_py.components.kai_scheduler.api import PRIORITY as KAI
from charts_py.components.kueue.api import PRIORITY as KUEUE, PRIORITY_LABEL
from charts_py.components.volcano.api import PRIORITY as VOLCANO
from policies.admission import CREATE, UPDATE
from policies.custom.expressions import Expressions
from policies.document import Document
from policies.operation import Operation, apply, copied
from policies.settings import JobKind, QueuePriority
from policies.workloads.job_priority import (
    classes_of_pods,
    is_unranked,
    known,
    priority_fix,
    rank,
    refusal,
    refused,
    stated,
)
from policies.workloads.registry import WorkloadKind
from tests.policies.in_cel.platform_functions import platform_functions

LABEL = ("metadata", "labels", "example.com/class")
JOB, OWN = JobKind("batch", "Job"), JobKind("example.com", "Simulation")
PYTORCH = JobKind("kubeflow.org", "PyTorchJob")
BY_LABEL = QueuePriority(LABEL, (JOB,), reads_templates=True)
BY_FIELD = QueuePriority(("spec", "priorityClassName"), (JOB,))


def _job(label: str | None = None, of_pods: str | None = None) -> Document:
    labels = {} if label is None else {"labels": {LABEL[-1]: label}}
    pod = {} if of_pods is None else {"priorityClassName": of_pods}
    return {"metadata": {"name": "a", **labels}, "spec": {"template": {"spec": pod}}}


def _label_added(name: str) -> Operation:
    return Operation("add", "/metadata/labels", {LABEL[-1]: name})


@pytest.mark.parametrize(
    ("job", "before", "priority", "expected"),
    [
        (_job(), None, BY_LABEL, (_label_added("training"),)),
        (_job("batch"), None, BY_LABEL, ()),
        (_job(of_pods="batch"), None, BY_LABEL, ()),
        # What reads no templates is told of them.
        (
            _job(of_pods="batch"),
            None,
            BY_FIELD,
            (Operation("add", "/spec/priorityClassName", "batch"),),
        ),
        (_job(), _job("batch"), BY_LABEL, (_label_added("batch"),)),
        (_job(), _job(of_pods="batch"), BY_LABEL, ()),
        (_job(), _job(), BY_LABEL, ()),
    ],
)
def test_a_job_names_the_class_of_its_pods_and_keeps_it(
    job: Document, before: Document | None, priority: QueuePriority, expected: tuple[Operation, ...]
) -> None:
    assert priority_fix(job, before, JOB, priority, "training") == expected


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        (_job("batch"), "batch"),
        (_job(""), ""),
        (_job(), ""),
        ({}, ""),
        ({"metadata": None}, ""),
        ({"metadata": {"labels": "malformed"}}, ""),
        ({"metadata": {"labels": {LABEL[-1]: 3}}}, ""),
        (None, ""),
    ],
)
def test_what_is_malformed_names_no_class(job: Any, expected: str) -> None:
    assert stated(job, LABEL) == expected


def test_the_classes_of_pods_are_told_with_their_places() -> None:
    replicas = {
        role: {"template": {"spec": {"priorityClassName": name}}}
        for role, name in (("Master", "batch"), ("Worker", "training"), ("Chief", ""))
    }
    policy = {"schedulingPolicy": {"priorityClass": "inference"}}
    job: Document = {"spec": {"runPolicy": policy, "pytorchReplicaSpecs": replicas}}
    assert list(classes_of_pods(job, PYTORCH)) == [
        ("/spec/runPolicy/schedulingPolicy/priorityClass", "inference"),
        ("/spec/pytorchReplicaSpecs/Master/template/spec/priorityClassName", "batch"),
        ("/spec/pytorchReplicaSpecs/Worker/template/spec/priorityClassName", "training"),
    ]


def test_of_a_kind_that_is_not_known_only_its_own_class_is_read() -> None:
    assert known(OWN) == WorkloadKind("example.com", "Simulation")
    job = _job(of_pods="batch")
    assert list(classes_of_pods(job, OWN)) == []
    assert priority_fix(job, None, OWN, BY_LABEL, "training") == (_label_added("training"),)


ALLOWED = ("training", "batch")


def _labelled(label: str | None, spec: Document | None = None, **labels: str) -> Document:
    named = {} if label is None else {PRIORITY_LABEL: label}
    return {"metadata": {"name": "a", "labels": {**labels, **named}}, "spec": spec or {}}


def _plain(spec: Document | None = None) -> Document:
    return {"metadata": {"name": "a"}, "spec": spec or {}}


def _ranked_by_kai(label: str) -> Document:
    return {"metadata": {"name": "a", "labels": {"priorityClassName": label}}, "spec": {}}


def _pod(name: str | None = None) -> Document:
    return {"spec": {} if name is None else {"priorityClassName": name}}


def _volcano(name: str, *tasks: Document) -> Document:
    return _plain({"priorityClassName": name, "tasks": [{"template": each} for each in tasks]})


JOB_SET = JobKind("jobset.x-k8s.io", "JobSet")
TRAIN = JobKind("trainer.kubeflow.org", "TrainJob")
SET, RAY = JobKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet"), JobKind("ray.io", "RayJob")
VOLCANO_JOB, GROUP = VOLCANO.jobs


def _job_set(*templates: Document) -> Document:
    return {"replicatedJobs": [{"template": {"spec": {"template": each}}} for each in templates]}


OF_NONE = {"template": _pod()}
OF_MASTER = {
    "pytorchReplicaSpecs": {"Master": {"template": _pod("batch")}, "Worker": {"template": _pod()}}
}
OF_POLICY = {"runPolicy": {"schedulingPolicy": {"priorityClass": "batch"}}}
OF_LEADER = {"leaderWorkerTemplate": {"leaderTemplate": _pod("batch"), "workerTemplate": _pod()}}
OF_HEAD = {"rayClusterSpec": {"headGroupSpec": {"template": _pod("batch")}}}
OF_WORKERS = {
    "rayClusterSpec": {
        "headGroupSpec": {"template": _pod()},
        "workerGroupSpecs": [{"template": _pod()}, {"template": _pod("batch")}],
    }
}
NAMING = [
    (JOB, {"template": _pod("batch")}),
    (JOB_SET, _job_set(_pod(), _pod("batch"))),
    (PYTORCH, OF_MASTER),
    (PYTORCH, OF_POLICY),
    (SET, OF_LEADER),
    (RAY, OF_HEAD),
    (RAY, OF_WORKERS),
]
"""Where jobs name the class `batch` for their pods."""


def _value(expression: str, job: Document, before: Document | None) -> Any:
    expressions = Expressions(("object", "oldObject", "request"), [platform_functions()])
    request = {"operation": CREATE if before is None else UPDATE, "kind": {"kind": "Job"}}
    data = {"object": job, "oldObject": before, "request": request}
    return expressions.value(expressions.compile(expression), data)


def _in_cel(job: Document, before: Document | None, priority: QueuePriority) -> Document:
    made: Document = copied(job)
    if _value(is_unranked(priority), job, before):
        found = _value(rank(priority, "training"), job, before)
        apply(made, [Operation(*each) for each in found])
    return made


@pytest.mark.parametrize(
    ("priority", "kind", "job", "before", "expected"),
    [
        (KUEUE, JOB, _plain(), None, _labelled("training")),
        (KUEUE, JOB, _labelled(None, app="a"), None, _labelled("training", app="a")),
        (KUEUE, JOB, _labelled(""), None, _labelled("training")),
        (KUEUE, JOB, _labelled("batch"), None, _labelled("batch")),
        (KUEUE, JOB, _plain(OF_NONE), None, _labelled("training", OF_NONE)),
        *((KUEUE, kind, _plain(spec), None, _plain(spec)) for kind, spec in NAMING),
        (KUEUE, TRAIN, _plain(), None, _labelled("training")),
        (KUEUE, JOB, _plain(), _labelled("batch"), _labelled("batch")),
        (KUEUE, JOB, _plain(), _plain(), _plain()),
        (VOLCANO, VOLCANO_JOB, _volcano(""), None, _volcano("training")),
        (VOLCANO, VOLCANO_JOB, _volcano("batch"), None, _volcano("batch")),
        (
            VOLCANO,
            VOLCANO_JOB,
            _volcano("", _pod(), _pod("batch"), _pod("other")),
            None,
            _volcano("batch", _pod(), _pod("batch"), _pod("other")),
        ),
        (VOLCANO, GROUP, _plain(), None, _plain({"priorityClassName": "training"})),
        (VOLCANO, GROUP, _plain(), _plain(), _plain()),
    ],
)
def test_a_job_waits_by_the_class_that_it_names_or_its_pods_get(
    priority: QueuePriority,
    kind: JobKind,
    job: Document,
    before: Document | None,
    expected: Document,
) -> None:
    made: Document = copied(job)
    apply(made, priority_fix(job, before, kind, priority, "training"))
    assert made == _in_cel(job, before, priority) == expected


@pytest.mark.parametrize(
    ("priority", "job", "before", "expected"),
    [
        (KUEUE, _labelled("batch"), None, []),
        (KUEUE, _labelled("inference"), None, ["inference"]),
        (KUEUE, _labelled("inference"), _labelled("inference"), []),
        (KUEUE, _labelled("inference"), _labelled("batch"), ["inference"]),
        (KUEUE, _labelled("inference"), _plain(), ["inference"]),
        (KUEUE, _plain({"template": _pod("inference")}), None, ["inference"]),
        (
            KUEUE,
            _labelled("system", {"template": _pod("inference")}),
            None,
            ["inference", "system"],
        ),
        (
            KUEUE,
            _plain({"runPolicy": {"schedulingPolicy": {"priorityClass": "inference"}}}),
            None,
            ["inference"],
        ),
        (VOLCANO, _volcano("inference"), None, ["inference"]),
        (KAI, _ranked_by_kai("inference"), None, ["inference"]),
        (KAI, _ranked_by_kai("batch"), None, []),
        # Its pods, which are judged, name it.
        (KAI, _plain({"template": _pod("inference")}), None, []),
        (KAI, _ranked_by_kai("inference"), _ranked_by_kai("inference"), []),
        (VOLCANO, _volcano("batch"), None, []),
        (VOLCANO, _volcano("inference"), _volcano("inference"), []),
    ],
)
def test_a_job_names_no_class_of_others(
    priority: QueuePriority, job: Document, before: Document | None, expected: list[str]
) -> None:
    assert _value(refused(priority, ALLOWED), job, before) == expected


def test_a_refusal_says_what_is_allowed() -> None:
    said = _value(refusal(KUEUE, ALLOWED), _labelled("inference"), None)
    assert said == (
        "The Job names priority class inference, which is not among those of its team. Use one of: "
        "training, batch."
    )
