"""Jobs that KAI ranks name the classes of their team, and wait in their own queue."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.components.kai_scheduler.api import RAY_PRIORITY
from charts_py.load import load_platform
from charts_py.objects.document import Document
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest
from tests.e2e.releases.crds import install_unserved
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import plain_spec

NAMESPACE = "vision-batch"
SAMPLE = SAMPLES / "kai.yaml"
GROUPS = "podgroups.scheduling.run.ai"
COMPONENTS = ("priority-classes", "team-speech", "team-vision", "kai-queues", "admission-policies")


def _spec() -> Document:
    """Return one without GPUs: of those with some, admission judges more than labels."""
    spec = plain_spec()
    del spec["containers"][0]["resources"]
    return spec


def _pod(labels: dict[str, str]) -> Document:
    return manifest("v1 Pod", "trial", NAMESPACE, {"labels": labels}, spec=_spec())


def _job(labels: dict[str, str]) -> Document:
    template = {"spec": {**_spec(), "restartPolicy": "Never"}}
    spec = {"template": template}
    return manifest("batch/v1 Job", "trial", NAMESPACE, {"labels": labels}, spec=spec)


def _group(labels: dict[str, str], queue: str = NAMESPACE) -> Document:
    kind, spec = "scheduling.run.ai/v2alpha2 PodGroup", {"minMember": 1, "queue": queue}
    return manifest(kind, "trial", NAMESPACE, {"labels": labels}, spec=spec)


@pytest.fixture(scope="module", autouse=True)
def _queues(admin: ApiClient) -> Iterator[None]:
    """The teams, queues and policies of a cluster with KAI, without KAI."""
    documents = rendered(load_platform(SAMPLE, None), *COMPONENTS)
    install_unserved(admin, [*documents, _group({})])
    with applied(admin, documents):
        yield


def _refusal(of: str, policy: str, why: str) -> str:
    return (
        f"{of} is forbidden: ValidatingAdmissionPolicy '{policy}' with binding '{policy}' denied "
        f"request: {why}"
    )


def test_no_label_names_a_class_of_others(admin: ApiClient, evidence: Evidence) -> None:
    for make, of in ((_pod, "pods"), (_job, "jobs.batch"), (_group, GROUPS)):
        document = make({"priorityClassName": "inference"})
        refused = admin.wait_until_refused(document)
        assert refused.answer.status == HTTPStatus.FORBIDDEN
        assert refused.message == _refusal(
            f'{of} "trial"',
            "job-priorities.vision-batch.gpuplane.io",
            f"The {document['kind']} names priority class inference, which is not among those of"
            " its team. Use one of: training, batch.",
        )
        admin.create(make({"priorityClassName": "batch"}), dryRun="All")
    evidence.show(
        "With queues of KAI, no label ranks a job by a class that its team may not use.",
        "refused, with the class of another team: a Pod, a Job and a PodGroup",
    )


def test_the_label_of_ray_ranks_no_job(admin: ApiClient) -> None:
    refused = admin.wait_until_refused(_group({RAY_PRIORITY: "batch"}))
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message == _refusal(
        f'{GROUPS} "trial"',
        "ray-priority.kai.gpuplane.io",
        f"KAI would rank the job by the label {RAY_PRIORITY}, whatever class its team may use. Name"
        " the class in the label priorityClassName instead.",
    )


def test_a_group_in_the_queue_of_others_is_told_its_own(admin: ApiClient) -> None:
    refused = admin.wait_until_refused(_group({}, "speech"))
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message == _refusal(
        f'{GROUPS} "trial"',
        "own-queue.kai.gpuplane.io",
        "The queue of namespace vision-batch is vision-batch, not speech. Set spec.queue to"
        " vision-batch.",
    )
