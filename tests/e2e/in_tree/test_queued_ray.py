"""No Ray cluster of a team, and no part of a job, has more pods than its queue counts."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest

from charts_py.objects.document import Document
from tests.e2e.claims.cluster import load_claim_cluster, policies_of, queued, rendered
from tests.e2e.control_plane.api_client import MERGE_PATCH, ApiClient, ApiError, why_not
from tests.e2e.manifest import manifest
from tests.e2e.releases.crds import definitions_of, install, pinned_files
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import plain_spec

NAMESPACE = "claims-training"
MEMBER = ("someone@example.com", "research", "system:authenticated")
GROUPS = {"RayCluster": (), "RayJob": ("rayClusterSpec",), "RayService": ("rayClusterConfig",)}
PODS = {"template": {"spec": plain_spec()}}


def group(replicas: int | None, least: int, **more: Any) -> Document:
    counts = {"minReplicas": least, "maxReplicas": 12}
    stated = {} if replicas is None else {"replicas": replicas}
    return {"groupName": "h100", "rayStartParams": {}, **PODS, **counts, **stated, **more}


def ray(kind: str, name: str, *groups: Document, **metadata: Any) -> Document:
    spec = {"headGroupSpec": {"rayStartParams": {}, **PODS}, "workerGroupSpecs": list(groups)}
    for place in GROUPS[kind]:
        spec = {place: spec}
    return manifest(f"ray.io/v1 {kind}", name, NAMESPACE, metadata, spec=spec)


NOBODYS = "3c8c2c2e-0a5f-4d0e-9a3f-7f4f3a0d8b11"
"""A UID of an owner whose kind is not installed: the garbage collector cannot look for it."""


def owned_by(api_version: str, kind: str, uid: str) -> list[Document]:
    owner = {"apiVersion": api_version, "kind": kind, "name": "owner", "uid": uid}
    return [{**owner, "controller": True}]


def refused(of: str, policy: str, why: str) -> str:
    name = f"{policy}.gpuplane.io"
    return (
        f"{of} is forbidden: ValidatingAdmissionPolicy '{name}' with binding '{name}' denied "
        f"request: {why}"
    )


FEWER = (
    "The worker group h100 has fewer replicas than minReplicas, of which KubeRay makes at least 12,"
    " and Kueue counts replicas alone. Set replicas to that number or more, or lower minReplicas."
)
OF_ITS_CONTROLLER = (
    "Kueue counts what another job controls by the spec of that job, and not by its own; change"
    " that job, and leave this to its controller."
)
REPLACED = (
    "KubeRay makes others in the place of the workers that scaleStrategy.workersToDelete names,"
    " before these have ended and given back their GPUs; name no more of them than replicas are"
    " taken away."
)
KEPT = (
    "of a RayService, Kueue counts rayClusterConfig as it stands, while KubeRay keeps the cluster"
    " that it has made of it before, or starts another one beside it. Make another RayService;"
    " serveConfigV2 can be changed."
)


@pytest.fixture(scope="module", autouse=True)
def _queues(admin: ApiClient) -> Iterator[None]:
    """The team and the policies of its queues, with KubeRay's own kinds."""
    platform = queued(load_claim_cluster())
    install(admin, definitions_of([ray(kind, "any") for kind in GROUPS], pinned_files()))
    team = rendered(platform, "priority-classes", "gpu-roles", "team-research")
    objects = [each for each in team if each["kind"] != "LocalQueue"]
    with applied(admin, [*objects, *policies_of(platform, "kueue-queues")]):
        admin.impersonating(*MEMBER).wait_until_refused(ray("RayCluster", "sent", group(0, 12)))
        yield


def patched(admin: ApiClient, running: Document, spec: Document) -> str:
    """Return why a member may not change what runs, which goes afterwards."""
    admin.create(running)
    why = why_not(admin.impersonating(*MEMBER).patch, running, {"spec": spec}, "", MERGE_PATCH)
    try:
        admin.delete(running)
    except ApiError as error:
        # Without its owner, the garbage collector may have been first.
        if error.answer.status != HTTPStatus.NOT_FOUND:
            raise
    return why


@pytest.mark.parametrize("kind", GROUPS)
@pytest.mark.parametrize("replicas", [0, 11, None])
def test_no_group_has_fewer_replicas_than_kuberay_makes(
    admin: ApiClient, kind: str, replicas: int | None
) -> None:
    team = admin.impersonating(*MEMBER)
    name = f'{kind.lower()}s.ray.io "sent"'
    sent = ray(kind, "sent", group(replicas, 12))
    assert why_not(team.create, sent) == refused(name, "queued-ray", FEWER)
    assert why_not(team.create, ray(kind, "sent", group(12, 12)), dryRun="All") == ""


def test_nor_does_one_that_runs(admin: ApiClient) -> None:
    running = ray("RayCluster", "runs", group(1, 1))
    why = patched(admin, running, {"workerGroupSpecs": [group(1, 12)]})
    assert why == refused('rayclusters.ray.io "runs"', "queued-ray", FEWER)


def test_no_worker_is_made_anew_while_it_ends(admin: ApiClient) -> None:
    running = ray("RayCluster", "runs", group(2, 0))
    named = {"scaleStrategy": {"workersToDelete": ["runs-h100-worker-a", "runs-h100-worker-b"]}}
    why = patched(admin, running, {"workerGroupSpecs": [group(2, 0, **named)]})
    assert why == refused('rayclusters.ray.io "runs"', "queued-ray", REPLACED)
    assert patched(admin, running, {"workerGroupSpecs": [group(0, 0, **named)]}) == ""


def test_no_service_has_a_second_cluster(admin: ApiClient) -> None:
    running = ray("RayService", "serves", group(1, 1))
    why = patched(admin, running, {"rayClusterConfig": {"rayVersion": "2.50.1"}})
    assert why == refused('rayservices.ray.io "serves"', "queued-ray", KEPT)
    assert patched(admin, running, {"serveConfigV2": "applications: []"}) == ""


def test_no_part_of_a_job_is_changed_past_it(admin: ApiClient) -> None:
    # Without its owner, the garbage collector would take the cluster away meanwhile.
    owner = admin.create(ray("RayJob", "owner", group(1, 1))).document
    of_job = owned_by("ray.io/v1", "RayJob", owner["metadata"]["uid"])
    part = ray("RayCluster", "of-job", group(1, 0), ownerReferences=of_job)
    why = patched(admin, part, {"workerGroupSpecs": [group(12, 0)]})
    assert why == refused('rayclusters.ray.io "of-job"', "queued-jobs", OF_ITS_CONTROLLER)
    admin.delete(owner)
    pods = {"template": {"spec": {**plain_spec(), "restartPolicy": "Never"}}}
    stated = {**pods, "suspend": True, "podReplacementPolicy": "Failed"}
    owners = {"ownerReferences": owned_by("jobset.x-k8s.io/v1alpha2", "JobSet", NOBODYS)}
    job = manifest("batch/v1 Job", "of-set", NAMESPACE, owners, spec=stated)
    # The garbage collector may take it before it is patched.
    tries = (patched(admin, job, {"parallelism": 100}) for _ in range(5))
    why = next(each for each in tries if not each.endswith("not found"))
    assert why == refused('jobs.batch "of-set"', "queued-jobs", OF_ITS_CONTROLLER)
