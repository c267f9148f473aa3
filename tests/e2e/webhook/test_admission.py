"""With the webhook in the path, a GPU pod that says next to nothing runs where it should."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.components.kueue.api import PRIORITY_LABEL
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpus.platform_names import FIXED
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest, workload
from tests.e2e.releases.objects import applied, empty, namespace, read_release
from tests.e2e.scheduling.gpu_pods import GPU, plain_spec, requesting_pod
from tests.e2e.scheduling.nodes import cpu_node, joined, nodes_of
from tests.e2e.scheduling.placements import PATIENCE_SECONDS, has_node, placements, report_until
from tests.e2e.webhook.platform_webhook import PlatformWebhook

TEAM = "research-training"
ELSEWHERE = "web"
GPU_NODE = "training-h100-0"
FIXES = [
    "gpu-requests-equal-limits",
    "granted-pools",
    "tolerations",
    "priority-class",
    "team-labels",
    "shared-memory",
]


@pytest.fixture(scope="module", autouse=True)
def _node_and_namespaces(
    admin: ApiClient, platforms: dict[str, Platform], release: Path
) -> Iterator[None]:
    """One node of eight H100, a team as `dist/` makes it, and a namespace of no team."""
    team = read_release(release, "priority-classes", "team-research")
    with (
        joined(admin, *nodes_of(platforms["training"], "h100", 1)),
        applied(admin, [*team, namespace(ELSEWHERE)]),
    ):
        yield


@pytest.fixture(autouse=True)
def _empty_namespaces(admin: ApiClient) -> Iterator[None]:
    yield
    for name in (TEAM, ELSEWHERE):
        empty(admin, name)


@pytest.mark.usefixtures("webhook")
def test_a_pod_that_only_requests_gpus_is_fixed_and_scheduled(
    admin: ApiClient, evidence: Evidence
) -> None:
    admin.create(requesting_pod("plain", TEAM, 8))
    (placed,) = placements(admin, TEAM, 1)
    pod = admin.get("v1", "Pod", "plain", TEAM)
    (container,) = pod["spec"]["containers"]
    (volume,) = (each for each in pod["spec"]["volumes"] if "emptyDir" in each)
    tolerations = {
        (each.get("key"), each["operator"], each.get("value"), each["effect"])
        for each in pod["spec"]["tolerations"]
    }
    assert placed.node == GPU_NODE
    assert container["resources"]["limits"][GPU] == "8"
    assert (GPU, "Equal", "present", "NoSchedule") in tolerations
    assert {"name": volume["name"], "mountPath": "/dev/shm"} in container["volumeMounts"]  # noqa: S108 # POSIX shared memory
    assert volume["emptyDir"]["medium"] == "Memory"
    assert (pod["spec"]["priorityClassName"], pod["spec"]["priority"]) == ("training", 100000)
    assert pod["metadata"]["annotations"][FIXED] == ",".join(FIXES)
    evidence.show(
        "A GPU pod with requests only, no toleration and no /dev/shm is fixed and scheduled.",
        f"on a node of 8 H100; fixed by {', '.join(FIXES)}",
    )


def test_nginx_does_not_land_on_a_gpu_node(
    admin: ApiClient, webhook: PlatformWebhook, evidence: Evidence
) -> None:
    spec = {"containers": [{"name": "nginx", "image": "nginx:1.29.4"}]}
    nginx = manifest("v1 Pod", "nginx", ELSEWHERE, spec=spec)
    admin.create(nginx)
    (waiting,) = placements(admin, ELSEWHERE, 1)
    assert waiting.node is None
    assert waiting.reason.startswith("0/1 nodes are available: 1 node(s) had untolerated taint")
    before = webhook.fixes()
    with joined(admin, cpu_node("cpu-0")):
        pod = admin.wait_for(nginx, has_node, PATIENCE_SECONDS)
        assert pod["spec"]["nodeName"] == "cpu-0"
    assert webhook.fixes() == before
    evidence.show(
        "nginx does not land on a GPU node.",
        "Pending beside an idle node of 8 H100; bound as soon as a node without GPUs joins",
    )


@pytest.mark.usefixtures("webhook")
def test_a_dry_run_shows_the_fixed_pod_and_stores_none(
    admin: ApiClient, evidence: Evidence
) -> None:
    tried = admin.create(requesting_pod("tried", TEAM), dryRun="All").document
    assert tried["metadata"]["annotations"][FIXED] == ",".join(FIXES)
    assert admin.find("v1", "Pod", TEAM) == []
    evidence.show(
        "A dry run shows the fixed pod.", f"{len(FIXES)} fixes in the answer, 0 pods stored"
    )


@pytest.mark.usefixtures("webhook")
def test_a_job_that_waits_in_a_queue_is_given_the_class_of_its_pods(
    admin: ApiClient, evidence: Evidence
) -> None:
    tried = admin.create(waiting_job(), dryRun="All").document
    assert tried["metadata"]["labels"][PRIORITY_LABEL] == "training"
    evidence.show(
        "Before Kubernetes 1.36, the webhook names the priority class by which a job waits.",
        f"a Job in a namespace for training has `{PRIORITY_LABEL}: training`",
    )


def test_a_job_in_a_queue_names_no_class_of_others(
    admin: ApiClient, release: Path, evidence: Evidence
) -> None:
    policies = [
        each
        for each in read_release(release, "admission-policies")
        if each["metadata"]["name"].startswith("job-priorities.")
    ]
    with applied(admin, policies):
        refused = admin.wait_until_refused(waiting_job({PRIORITY_LABEL: "inference"}))
        admin.create(waiting_job({PRIORITY_LABEL: "batch"}), dryRun="All")
    assert "The Job names priority class inference, which is not among" in refused.message
    evidence.show(
        "A job that names the priority class of another team is refused on each Kubernetes.",
        f"{refused.answer.status} `{refused.message}`",
    )


def waiting_job(labels: Document | None = None) -> Document:
    spec = {"suspend": True, "template": {"spec": {**plain_spec(8), "restartPolicy": "Never"}}}
    return manifest("batch/v1 Job", "waiting", TEAM, {"labels": labels or {}}, spec=spec)


PODS = {**plain_spec(), "restartPolicy": "Never"}
WORKLOADS: dict[str, tuple[Document, str, str]] = {
    "Deployment": (
        workload("apps/v1 Deployment", "plain", TEAM, plain_spec(), replicas=2),
        "Running",
        "readyReplicas",
    ),
    "StatefulSet": (
        workload(
            "apps/v1 StatefulSet", "plain", TEAM, plain_spec(), replicas=2, serviceName="plain"
        ),
        "Running",
        "readyReplicas",
    ),
    "Job": (
        manifest(
            "batch/v1 Job",
            "plain",
            TEAM,
            spec={"completions": 2, "parallelism": 2, "template": {"spec": PODS}},
        ),
        "Succeeded",
        "succeeded",
    ),
}


@pytest.mark.usefixtures("webhook")
@pytest.mark.parametrize("kind", WORKLOADS)
def test_a_workload_comes_up_through_its_controller(
    kind: str, admin: ApiClient, evidence: Evidence
) -> None:
    document, phase, counted = WORKLOADS[kind]
    admin.create(document)
    report_until(admin, document, phase, lambda each: each["status"].get(counted) == 2)
    pods = admin.find("v1", "Pod", TEAM)
    fixed = [each["metadata"]["annotations"][FIXED].split(",") for each in pods]
    assert [each["spec"]["nodeName"] for each in pods] == [GPU_NODE] * 2
    assert fixed == [FIXES[1:]] * 2
    evidence.show(
        f"A {kind} whose template says nothing but GPUs comes up through its controller.",
        f"2 of 2 pods fixed and on a GPU node; once reported {phase}, {counted} 2",
    )


@pytest.mark.usefixtures("webhook")
def test_a_template_with_requests_only_is_refused_before_any_pod_of_it(
    admin: ApiClient, evidence: Evidence
) -> None:
    pods = requesting_pod("plain", TEAM)["spec"]
    with pytest.raises(ApiError) as refused:
        admin.create(workload("apps/v1 Deployment", "plain", TEAM, pods, replicas=2))
    reason = "Required value: Limit must be set for non overcommitable resources"
    field = "spec.template.spec.containers[0].resources.limits"
    assert refused.value.message == f'Deployment.apps "plain" is invalid: {field}: {reason}'
    evidence.show(
        "A Deployment whose template only requests GPUs is not for the webhook to fix: "
        "the API server refuses it at once.",
        f"`{reason}`",
    )
