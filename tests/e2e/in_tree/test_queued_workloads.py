"""Who may change what of the Workloads in a team's queue."""

from collections.abc import Iterator

import pytest

from charts_py.components.kueue.api import API_VERSION
from charts_py.components.kueue.workers import manager_access, writer_binding
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.claims.cluster import policies_of, rendered
from tests.e2e.control_plane.api_client import MERGE_PATCH, ApiClient, refusal
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import definitions_of, install, pinned_files
from tests.e2e.releases.objects import applied

NAMESPACE = "research-training"
COMPONENTS = ("priority-classes", "gpu-roles", "team-research")
POLICY = "queued-workloads.gpuplane.io"
WORKER = SAMPLES / "multikueue-worker.yaml"
MANAGER = ("system:serviceaccount:kueue-system:multikueue", "system:authenticated")
LEAD, MEMBER = (
    (user, "system:authenticated", group)
    for user, group in (("lead", "ml-research-leads"), ("member", "ml-research"))
)
FINALIZER = "kueue.x-k8s.io/resource-in-use"
AGAIN, FIRST = {"spec": {"active": True}}, {"spec": {"priority": 1000000}}
CONTAINER = {"name": "node", "image": "registry.example.com/a:1"}
PODS = {"name": "node", "count": 4, "template": {"spec": {"containers": [CONTAINER]}}}
WORKLOAD = manifest(
    f"{API_VERSION} Workload",
    "pretrain",
    NAMESPACE,
    {"finalizers": [FINALIZER]},
    spec={"active": False, "queueName": "default", "podSets": [PODS]},
)
OF_A_MANAGER = (
    FIRST,
    {"spec": {"podSets": [{**PODS, "count": 2}]}},
    {"metadata": {"finalizers": None}},
)
RUNTIMES = ("trainer.kubeflow.org/v1alpha1", "ClusterTrainingRuntime")


def answer(client: ApiClient, change: Document) -> str:
    """Return why a change would be refused, or nothing."""
    path = client.path_of(WORKLOAD)
    error = refusal(client.request, "PATCH", path, change, MERGE_PATCH, dryRun="All")
    return f"{error.answer.status} {error.message}" if error else ""


@pytest.fixture(scope="module")
def first(admin: ApiClient, platforms: dict[str, Platform]) -> Iterator[str]:
    """What the API server tells a lead who would be first, once a Workload waits."""
    runtime = manifest(" ".join(RUNTIMES), "any")
    install(admin, definitions_of([WORKLOAD, runtime], pinned_files()))
    with applied(admin, _objects(platforms["training"])):
        admin.create(WORKLOAD)
        lead = admin.impersonating(*LEAD)
        yield once_seen(lambda: answer(lead, FIRST), lambda told: POLICY in told)
        admin.patch(WORKLOAD, {"metadata": {"finalizers": None}})


def _objects(platform: Platform) -> Iterator[Document]:
    """Yield a team, the policies of its queues, and what the manager of MultiKueue may there."""
    yield from rendered(platform, *COMPONENTS)
    yield from policies_of(platform, "kueue-queues")
    binding = writer_binding(NAMESPACE)
    for each in manager_access(load_platform(WORKER, None)):
        if each["metadata"]["name"] == binding["roleRef"]["name"]:
            yield each
    yield binding


def test_admins_of_a_team_have_a_job_tried_again_and_change_nothing_else(
    admin: ApiClient, first: str, evidence: Evidence
) -> None:
    lead, member = admin.impersonating(*LEAD), admin.impersonating(*MEMBER)
    again = [answer(client, AGAIN) for client in (member, lead)]
    # Where it may not look, that is refused.
    once_seen(lambda: refusal(member.find, *RUNTIMES), lambda refused: refused is None)
    assert first.endswith(
        "denied request: of a Workload, spec.active alone can be changed, which has Kueue try its "
        "job again; the rest follows from the job."
    )
    assert 'cannot patch resource "workloads"' in again[0]
    assert (again[1], answer(admin, FIRST), member.find(*RUNTIMES)) == ("", "", [])
    evidence.show(
        "Admins of a team have Kueue try a job again, and change nothing else of its place in the "
        "queue.",
        f"`{first}`",
    )


@pytest.mark.usefixtures("first")
def test_the_manager_of_multikueue_keeps_the_workloads_of_its_jobs_as_they_are_there(
    admin: ApiClient,
) -> None:
    manager = admin.impersonating(*MANAGER)
    assert [answer(manager, each) for each in OF_A_MANAGER] == ["" for _ in OF_A_MANAGER]
