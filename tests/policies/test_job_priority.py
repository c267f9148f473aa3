"""Which class a job names, and which those of its pods are; `in_cel` has what is set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from policies.job_priority import classes_of_pods, known, priority_fix, stated
from policies.operation import Operation
from policies.settings import JobKind, QueuePriority
from policies.workloads.workload_kind import WorkloadKind

if TYPE_CHECKING:
    from policies.document import Document

LABEL = ("metadata", "labels", "example.com/class")
JOB, OWN = JobKind("batch", "Job"), JobKind("example.com", "Simulation")
PYTORCH = JobKind("kubeflow.org", "PyTorchJob")
BY_LABEL = QueuePriority(LABEL, (JOB,), reads_templates=True)
BY_FIELD = QueuePriority(("spec", "priorityClassName"), (JOB,))


def _job(label: str | None = None, of_pods: str | None = None) -> Document:
    labels = {} if label is None else {"labels": {LABEL[-1]: label}}
    pod = {} if of_pods is None else {"priorityClassName": of_pods}
    return {"metadata": {"name": "a", **labels}, "spec": {"template": {"spec": pod}}}


def _labelled(name: str) -> Operation:
    return Operation("add", "/metadata/labels", {LABEL[-1]: name})


@pytest.mark.parametrize(
    ("job", "before", "priority", "expected"),
    [
        (_job(), None, BY_LABEL, (_labelled("training"),)),
        (_job("batch"), None, BY_LABEL, ()),
        (_job(of_pods="batch"), None, BY_LABEL, ()),
        # What reads no templates is told of them.
        (
            _job(of_pods="batch"),
            None,
            BY_FIELD,
            (Operation("add", "/spec/priorityClassName", "batch"),),
        ),
        (_job(), _job("batch"), BY_LABEL, (_labelled("batch"),)),
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
    assert priority_fix(job, None, OWN, BY_LABEL, "training") == (_labelled("training"),)
