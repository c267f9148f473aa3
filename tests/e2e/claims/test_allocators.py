"""GPUs are given out by a device plugin on one pool, and by DRA on another, to the same pods."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from charts_py.components.dra_driver_nvidia_gpu import dra_driver_values
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpus.allocator import DEVICE_PLUGIN_LABEL
from tests.e2e.claims.cluster import load_claim_cluster, write_release
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest, workload
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.dra_devices import GPU_DEVICE_CLASS, resource_slice
from tests.e2e.scheduling.gpu_pods import GPU, gpu_pod, plain_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import (
    PATIENCE_SECONDS,
    bound_pods,
    create_all,
    has_node,
    is_ending,
    placements,
    pods_by_node,
)
from tests.e2e.webhook.registration import ServeWebhook

BOTH, PLUGGED_ALONE = "allocators-both", "allocators-plugged"
PLUGGED, CLAIMED = "allocators-plugged-0", "allocators-claimed-0"
"""The nodes, one of each pool."""
CLAIM = ("resource.k8s.io/v1", "ResourceClaim")
BY_CLASS = "deviceclass.resource.kubernetes.io/gpu.nvidia.com"


@pytest.fixture(scope="module")
def platform() -> Platform:
    return load_claim_cluster("allocators")


@pytest.fixture(scope="module")
def release(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_release(platform, tmp_path_factory.mktemp("allocators"))


@pytest.fixture
def nodes(admin: ApiClient, platform: Platform) -> Iterator[None]:
    """A node of each pool, with the DeviceClass and the ResourceSlice of the DRA driver."""
    (plugged,) = nodes_of(platform, "plugged", 1)
    (claimed,) = nodes_of(platform, "claimed", 1)
    published = [GPU_DEVICE_CLASS, resource_slice(platform, "claimed", claimed)]
    with joined(admin, plugged, claimed), applied(admin, published):
        yield


@pytest.fixture
def team(admin: ApiClient, release: Path) -> Iterator[None]:
    with applied(admin, read_release(release, "priority-classes", "team-allocators")):
        yield


def wait_until_placed(client: ApiClient, pods: list[Document]) -> dict[str, Document]:
    """Return the pods by name once each has a node: the scheduler reads of devices late."""
    placed = (client.wait_for(pod, has_node, PATIENCE_SECONDS) for pod in pods)
    return {pod["metadata"]["name"]: pod for pod in placed}


def _claim_of(pod: Document) -> str | None:
    """Return the name of the claim that the scheduler made for a pod's extended resources."""
    status: Mapping[str, Any] = pod["status"].get("extendedResourceClaimStatus", {})
    return status.get("resourceClaimName")


@pytest.mark.usefixtures("nodes", "team")
def test_the_same_pods_are_placed_by_device_plugin_on_one_pool_and_by_dra_on_the_other(
    admin: ApiClient, evidence: Evidence, release: Path, serve_webhook: ServeWebhook
) -> None:
    pods = [plain_pod(f"pod-{number:02}", BOTH) for number in range(16)]
    with serve_webhook(release):
        create_all(admin, pods)
        placed = wait_until_placed(admin, pods)
        with pytest.raises(ApiError) as refused:
            admin.create(plain_pod("pod-16", BOTH))
    on_node = pods_by_node(placements(admin, BOTH, 16))
    claimed = {name for name, pod in placed.items() if pod["spec"]["nodeName"] == CLAIMED}
    claims = {each["metadata"]["name"]: each for each in admin.find(*CLAIM, BOTH)}
    assert on_node == {PLUGGED: 8, CLAIMED: 8}
    assert {name for name, pod in placed.items() if _claim_of(pod)} == claimed
    assert {_claim_of(placed[name]) for name in claimed} == set(claims)
    assert sorted(_devices(claims.values())) == [(CLAIMED, f"gpu-{number}") for number in range(8)]
    assert refused.value.answer.status == HTTPStatus.FORBIDDEN
    assert f"requested: requests.{GPU}=1, used: requests.{GPU}=16" in refused.value.message
    evidence.show(
        "The same pods, admitted by the same webhook, get their GPUs from a device plugin on one "
        "pool and by DRA on another, and one quota counts both.",
        "8 on each node of 8 x H100, 8 ResourceClaims by the scheduler; the 17th: "
        f"{refused.value.answer.status}",
    )


def _devices(claims: Iterable[Document]) -> Iterator[tuple[str, str]]:
    for claim in claims:
        for result in claim["status"]["allocation"]["devices"]["results"]:
            yield result["pool"], result["device"]


@pytest.mark.usefixtures("nodes", "team")
def test_a_pod_that_names_the_device_class_gets_its_gpus_by_dra(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = gpu_pod("by-class", BOTH, {BY_CLASS: 8})
    admin.create(pod)
    (placed,) = wait_until_placed(admin, [pod]).values()
    expected = {f"requests.{GPU}": "8", f"requests.{BY_CLASS}": "8"}
    quota = manifest("v1 ResourceQuota", "quota", BOTH)
    admin.wait_for(
        quota, lambda found: expected.items() <= found["status"]["used"].items(), PATIENCE_SECONDS
    )
    assert placed["spec"]["nodeName"] == CLAIMED
    evidence.show(
        "A pod that asks for GPUs by their device class counts against both bounds of its quota.",
        ", ".join(f"{name} {amount}" for name, amount in sorted(expected.items())),
    )


@pytest.mark.usefixtures("nodes", "team")
def test_a_claim_of_a_team_counts_as_gpus(admin: ApiClient, evidence: Evidence) -> None:
    request = {"name": "gpus", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 17}}
    spec = {"devices": {"requests": [request]}}
    # The API server reads of device classes late.
    claim = manifest(" ".join(CLAIM), "seventeen", BOTH, spec=spec)
    refused = admin.wait_until_refused(claim, f"requests.{GPU}")
    assert f"requests.{GPU}=17" in refused.message
    assert f"requests.{BY_CLASS}=17" in refused.message
    evidence.show(
        "A team's own resource claim counts as GPUs.",
        f"{refused.answer.status} `{refused.message}`",
    )


@pytest.mark.usefixtures("nodes", "team")
def test_a_namespace_without_gpus_of_the_pool_gets_none_by_dra(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = _on_claimed("stray", PLUGGED_ALONE, "training")
    admin.create(pod)
    found = admin.wait_for(pod, lambda each: "exceeded quota" in _reason(each), PATIENCE_SECONDS)
    assert "nodeName" not in found["spec"]
    evidence.show(
        "A namespace without a share of a DRA pool gets none of its GPUs, though its quota has "
        "room for the resource.",
        f"`{_without_random_suffix(_reason(found))}`",
    )


@pytest.mark.usefixtures("team")
def test_while_no_webhook_answers_a_pod_with_a_claim_is_kept_off_the_pools_of_others(
    admin: ApiClient, release: Path
) -> None:
    claiming = gpu_pod("claiming", PLUGGED_ALONE, {}, cpu="1")
    claiming["spec"]["resourceClaims"] = [{"name": "gpus", "resourceClaimName": "gpus"}]
    with applied(admin, read_release(release, "admission-policies")):
        refused = admin.wait_until_refused(claiming)
    assert refused.message.startswith(
        'pods "claiming" is forbidden: ValidatingAdmissionPolicy \'pods-denied.'
    )


def _without_random_suffix(reason: str) -> str:
    """Return what the scheduler says, whatever it calls the claim."""
    return re.sub(r'(extended-resources)-\w+"', r'\1-…"', reason)


def _reason(pod: Document) -> str:
    conditions = pod["status"].get("conditions", ())
    return next((each.get("message", "") for each in conditions), "")


@pytest.mark.usefixtures("nodes")
def test_no_priority_takes_gpus_that_dra_gave_out(
    admin: ApiClient, evidence: Evidence, release: Path
) -> None:
    home = "allocators-priorities"
    holders = [_on_claimed(f"holder-{number}", home, "batch") for number in range(8)]
    classes = read_release(release, "priority-classes")
    with applied(admin, [*classes, namespace(home)]):
        create_all(admin, holders)
        wait_until_placed(admin, holders)
        admin.create(_on_claimed("service", home, "inference"))
        placed = placements(admin, home, 9)
        ending = list(filter(is_ending, admin.find("v1", "Pod", home)))
    assert (pods_by_node(placed), ending) == ({CLAIMED: 8, None: 1}, [])
    reason = placed[-1].reason
    assert "1 cannot allocate all claims" in reason
    assert reason.endswith("2 Preemption is not helpful for scheduling.")
    evidence.show(
        "No priority takes GPUs that DRA gave out.",
        f"8 of 8 batch pods stay; inference: `{reason}`",
    )


def _on_claimed(name: str, home: str, priority: str) -> Document:
    pod = gpu_pod(name, home, {GPU: 1}, priority=priority)
    pod["spec"]["nodeSelector"] = {"gpuplane.io/pool": "claimed"}
    return pod


def test_a_node_runs_the_device_plugin_or_the_dra_driver_and_never_both(
    admin: ApiClient, evidence: Evidence, platform: Platform
) -> None:
    home = "allocators-daemons"
    nodes = [node for pool in ("plugged", "claimed") for node in nodes_of(platform, pool, 1)]
    for node in nodes:
        # As the GPU operator does.
        node["metadata"]["labels"].setdefault(DEVICE_PLUGIN_LABEL, "true")
    driver = dra_driver_values(platform)["kubeletPlugin"]
    selectors = {
        "device-plugin": {DEVICE_PLUGIN_LABEL: "true"},
        "dra-driver": driver["nodeSelector"],
    }
    with joined(admin, *nodes), applied(admin, [namespace(home)]), ExitStack() as stack:
        for name, selector in selectors.items():
            container = {"name": name, "image": "registry.example.com/daemon:1.0.0"}
            spec = {"tolerations": driver["tolerations"], "containers": [container]}
            pods = {**spec, "nodeSelector": dict(selector)}
            daemons = workload("apps/v1 DaemonSet", name, home, pods)
            stack.callback(admin.delete, daemons)
            admin.create(daemons)
            admin.wait_for(daemons, _is_counted, PATIENCE_SECONDS)
        bound = bound_pods(admin, home, len(selectors))
    running = {pod["metadata"]["labels"]["app"]: pod["spec"]["nodeName"] for pod in bound}
    assert running == {"device-plugin": PLUGGED, "dra-driver": CLAIMED}
    evidence.show(
        "A node runs the device plugin or the DRA driver, and never both.",
        "one pod of each DaemonSet, each on the node of its pool",
    )


def _is_counted(daemons: Document) -> bool:
    return bool(daemons["status"].get("desiredNumberScheduled") == 1)
