"""Which jobs of a manifest could not wait in a queue, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from policies.manifest_job import refused_jobs
from policies.settings import JobKind, QueuePriority, Settings

if TYPE_CHECKING:
    from policies.document import Document

LABEL = "example.com/class"
RANKED = QueuePriority(
    ("metadata", "labels", LABEL), (JobKind("batch", "Job"),), (JobKind("", "Pod"),)
)
OF_LABEL = f"/metadata/labels/{LABEL.replace('/', '~1')}"
RESERVED = "The Job names priority class system-node-critical, which is reserved for the platform."
OF_PODS = "/spec/template/spec/priorityClassName"


@pytest.fixture(scope="module")
def ranking(settings: Settings) -> Settings:
    """Return the settings of a cluster with queues that rank by a label."""
    return replace(settings, queue_priority=RANKED)


def _job(label: str | None = None, of_pods: str | None = None, **metadata: Any) -> Document:
    pod = {} if of_pods is None else {"priorityClassName": of_pods}
    labels = {} if label is None else {"labels": {LABEL: label}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "pretrain", "namespace": "training", **labels, **metadata},
        "spec": {"template": {"spec": pod}},
    }


def _pod(label: str) -> Document:
    metadata = {"name": "pretrain", "namespace": "training", "labels": {LABEL: label}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"priorityClassName": "inference"},
    }


def _list(*items: Document) -> Document:
    return {"apiVersion": "v1", "kind": "List", "items": list(items)}


def _found(settings: Settings, manifest: Document, *where: str) -> list[tuple[str, str, str, str]]:
    default, *namespace = where or ("plain",)
    return [
        (f"{job.kind} {job.name}", job.pointer, job.finding.path, job.finding.message)
        for job in refused_jobs(settings, manifest, default, *namespace)
    ]


def _foreign(kind: str, name: str = "inference", team: str = "research") -> str:
    return f"The {kind} names priority class {name}, which is not among those of team {team}."


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (_job(), []),
        (_job("batch", "training"), []),
        (_job("inference"), [("Job pretrain", "", OF_LABEL, _foreign("Job"))]),
        (_job(of_pods="inference"), [("Job pretrain", "", OF_PODS, _foreign("Job"))]),
        (
            _job("inference", "other"),
            [
                ("Job pretrain", "", OF_LABEL, _foreign("Job")),
                ("Job pretrain", "", OF_PODS, _foreign("Job", "other")),
            ],
        ),
        (_job("system-node-critical"), [("Job pretrain", "", OF_LABEL, RESERVED)]),
        (
            _job("inference", name=None, generateName="sweep-"),
            [("Job sweep-", "", OF_LABEL, _foreign("Job"))],
        ),
        (
            _list(_job(), _list(_job("inference"))),
            [("Job pretrain", "/items/1/items/0", OF_LABEL, _foreign("Job"))],
        ),
        # The class that the pod itself names is judged by the rule on pods.
        (_pod("inference"), [("Pod pretrain", "", OF_LABEL, _foreign("Pod"))]),
        (_pod("batch"), []),
        # No queue ranks these.
        (_job("inference") | {"kind": "CronJob"}, []),
        (_job("inference") | {"apiVersion": "v1"}, []),
        (_job("inference") | {"apiVersion": None}, []),
        ({}, []),
    ],
)
def test_a_job_names_the_classes_of_its_team(
    ranking: Settings, manifest: Document, expected: list[tuple[str, str, str, str]]
) -> None:
    assert _found(ranking, manifest) == expected


def test_it_is_told_what_is_allowed(ranking: Settings) -> None:
    (refused,) = refused_jobs(ranking, _job("trainign"), "plain")
    assert refused.finding.remedy == "Use one of: training, batch; nearest: training."


@pytest.mark.parametrize(
    ("own", "where", "is_judged"),
    [
        ("training", ("plain",), True),
        (None, ("training",), True),
        ("plain", ("training", "training"), True),
        ("training", ("training", "plain"), False),
        # A team whose file names no classes may use all that are not reserved.
        ("plain", ("training",), False),
        ("of-nobody", ("training",), False),
    ],
)
def test_the_namespace_is_the_given_one_or_the_manifests_or_the_default(
    ranking: Settings, own: str | None, where: tuple[str, ...], is_judged: bool
) -> None:
    assert bool(_found(ranking, _job("inference", namespace=own), *where)) is is_judged


def test_without_queues_no_job_is_refused(settings: Settings) -> None:
    assert _found(settings, _job("inference", "inference")) == []
