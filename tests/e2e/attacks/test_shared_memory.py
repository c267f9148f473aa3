"""Whatever stands in a pod, its `/dev/shm` is large enough, shared by all of it, and bounded."""

from collections.abc import Iterator
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.objects import applied, empty, read_release
from tests.e2e.scheduling.gpu_pods import plain_pod
from tests.e2e.webhook.registration import ServeWebhook

TEAM = "research-training"
SHM = "/dev/shm"  # noqa: S108 # POSIX shared memory
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
OWN = [{"name": "own", "mountPath": SHM}]


@pytest.fixture(scope="module", autouse=True)
def _team_and_webhook(
    admin: ApiClient, render_release: RenderRelease, serve_webhook: ServeWebhook
) -> Iterator[None]:
    release = render_release("training", Admission.BACKSTOP)
    team = read_release(release, "priority-classes", "team-research")
    with applied(admin, team), serve_webhook(release):
        yield
        empty(admin, TEAM)


def pod_of(name: str, memory: str, **spec: Any) -> Document:
    """Return a pod with a GPU and that much memory."""
    pod = plain_pod(name, TEAM)
    _limit(pod["spec"]["containers"][0], memory)
    pod["spec"].update(spec)
    return pod


def _limit(container: Document, memory: str) -> None:
    for amounts in container["resources"].values():
        amounts["memory"] = memory


def beside(name: str, memory: str, **members: Any) -> Document:
    """Return a container as that of such a pod, by another name."""
    (container,) = pod_of(name, memory)["spec"]["containers"]
    return {**container, "name": name, **members}


def mounted_at_shm(pod: Document) -> dict[str, list[str]]:
    """Return what is mounted at /dev/shm, by the name of the container."""
    containers = [*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]]
    return {
        each["name"]: [mount["name"] for mount in each["volumeMounts"] if mount["mountPath"] == SHM]
        for each in containers
    }


def test_a_small_init_container_takes_no_shared_memory_from_the_trainer_or_its_sidecar(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = pod_of("trained", "512Gi")
    without_gpu = {"resources": {"limits": {"memory": "64Gi"}}}
    pod["spec"]["containers"].append(beside("loader", "64Gi", **without_gpu))
    pod["spec"]["initContainers"] = [
        beside("check", "1Gi"),
        beside("proxy", "1Gi", restartPolicy="Always", **without_gpu),
    ]
    created = admin.create(pod).document
    (volume,) = (each for each in created["spec"]["volumes"] if "emptyDir" in each)
    assert volume["emptyDir"] == {"medium": "Memory", "sizeLimit": "64Gi"}
    names = ("check", "proxy", "main", "loader")
    assert mounted_at_shm(created) == {name: [volume["name"]] for name in names}
    evidence.show(
        "An init container of 1Gi takes no shared memory from a trainer of 512Gi, whose sidecar "
        "has the same.",
        f"sizeLimit {volume['emptyDir']['sizeLimit']}, mounted in each of {len(names)} containers",
    )


@pytest.mark.parametrize(
    ("volume", "mount", "problem"),
    [
        ({"emptyDir": {"medium": "Memory"}}, {}, ", which has no sizeLimit."),
        ({"emptyDir": {}}, {}, ", which is no emptyDir with medium Memory."),
        ({"emptyDir": {"medium": "Memory", "sizeLimit": "8Gi"}}, {"readOnly": True}, " read-only."),
    ],
    ids=["without limit", "on disk", "read-only"],
)
def test_a_volume_of_ones_own_that_is_no_bounded_memory_is_told_of(
    admin: ApiClient, evidence: Evidence, volume: Document, mount: Document, problem: str
) -> None:
    pod = pod_of("own", "16Gi", volumes=[{"name": "own", **volume}])
    pod["spec"]["containers"][0]["volumeMounts"] = [{**each, **mount} for each in OWN]
    answer = admin.create(pod, dryRun="All")
    (said,) = answer.warnings
    begin = "shared-memory: The container main mounts the volume own at /dev/shm"
    assert f"{begin}{problem} " in said
    assert mounted_at_shm(answer.document) == {"main": ["own"]}
    evidence.show(
        f"A volume of one's own at /dev/shm{problem.removesuffix('.')} is a warning.",
        f"`{begin}{problem}`",
    )


def test_memory_resized_below_what_shared_memory_may_grow_to_is_told_of(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = pod_of("resized", "512Gi")
    admin.create(pod)
    resources = {"limits": {"memory": "32Gi"}, "requests": {"memory": "32Gi"}}
    change = {"spec": {"containers": [{"name": "main", "resources": resources}]}}
    answer = admin.patch(pod, change, "resize", STRATEGIC_MERGE_PATCH)
    (container,) = answer.document["spec"]["containers"]
    assert container["resources"]["limits"]["memory"] == "32Gi"
    (said,) = answer.warnings
    told = "shared-memory: The container main mounts the volume gpuplane-shm at /dev/shm, whose "
    assert told in said
    evidence.show("Memory that is resized below the size of /dev/shm is a warning.", f"`{said}`")
