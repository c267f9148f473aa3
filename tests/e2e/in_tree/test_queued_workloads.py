"""Who may change what of the Workloads in a team's queue."""

from __future__ import annotations

from typing import Any

from charts_py.components.kueue_queues.api import API_VERSION
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.control_plane.api_client import MERGE_PATCH, ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.in_force import once_seen
from tests.e2e.in_tree.policies import component
from tests.e2e.releases.crds import definitions_of, install, pinned_files
from tests.e2e.releases.objects import applied

NAMESPACE = "research-training"
COMPONENTS = ("priority-classes", "gpu-roles", "team-research", "admission-policies")
POLICY = "queued-workloads.gpuplane.io"
AGAIN, FIRST = {"active": True}, {"priority": 1000000}
WORKLOAD: Document = {
    "apiVersion": API_VERSION,
    "kind": "Workload",
    "metadata": {"name": "pretrain", "namespace": NAMESPACE},
    "spec": {
        "active": False,
        "queueName": "default",
        "podSets": [
            {
                "name": "node",
                "count": 4,
                "template": {
                    "spec": {"containers": [{"name": "node", "image": "registry.example.com/a:1"}]}
                },
            }
        ],
    },
}
RUNTIME: Document = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "ClusterTrainingRuntime",
}


def answer(client: ApiClient, spec: dict[str, Any]) -> str:
    """Return why a change would be refused, or nothing."""
    path = client.paths.of(WORKLOAD)
    try:
        client.request("PATCH", path, {"spec": spec}, MERGE_PATCH, dryRun="All")
    except ApiError as error:
        return f"{error.answer.status} {error.message}"
    return ""


def test_admins_of_a_team_have_a_job_tried_again_and_change_nothing_else(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    objects = [each for name in COMPONENTS for each in component(platforms["training"], name)]
    lead, member = (
        admin.impersonating(user, "system:authenticated", group)
        for user, group in (("lead", "ml-research-leads"), ("member", "ml-research"))
    )
    install(admin, definitions_of([WORKLOAD, RUNTIME], pinned_files()))
    with applied(admin, objects):
        admin.create(WORKLOAD)
        first = once_seen(lambda: answer(lead, FIRST), lambda told: POLICY in told)
        again = [answer(client, AGAIN) for client in (member, lead)]
        runtimes = once_seen(lambda: _runtimes(member), lambda found: found is not None)
        by_platform = answer(admin, FIRST)
    assert first.endswith(
        "denied request: of a Workload, spec.active alone can be changed, which has Kueue try its "
        "job again; the rest follows from the job."
    )
    assert 'cannot patch resource "workloads"' in again[0]
    assert (again[1], by_platform, runtimes) == ("", "", [])
    evidence.show(
        "Admins of a team have Kueue try a job again, and change nothing else of its place in the "
        "queue.",
        f"`{first}`",
    )


def _runtimes(client: ApiClient) -> list[Document] | None:
    """Return the runtimes that a user finds, or None where it may not look."""
    try:
        return client.find(RUNTIME["apiVersion"], RUNTIME["kind"])
    except ApiError:
        return None
