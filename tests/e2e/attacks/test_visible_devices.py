"""No container sees GPUs that the scheduler did not give it, whatever its image or its pod says."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied, empty, namespace, read_release
from tests.e2e.scheduling.gpu_pods import plain_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import placements
from tests.e2e.webhook.registration import ServeWebhook, reason_of

TEAM, ELSEWHERE = "research-training", "web"
NODE = "training-h100-0"
IMAGE = "nvcr.io/nvidia/cuda:13.0.1-base-ubuntu24.04"
"""Its image sets NVIDIA_VISIBLE_DEVICES to `all`."""
VOID = {"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}
PRELOADS_NOTHING = {"name": "LD_PRELOAD"}
NOTHING = manifest("resource.k8s.io/v1 ResourceClaim", "nothing", TEAM, spec={})
"""A claim that allocates no device."""
CLAIMS = {"resourceClaims": [{"name": "nothing", "resourceClaimName": "nothing"}]}
HOLDS = {"resources": {"claims": [{"name": "nothing"}]}}
SOMETHING = [{"configMapRef": {"name": "variables", "optional": True}}]


@pytest.fixture(scope="module", autouse=True)
def _attacked(
    admin: ApiClient,
    render_release: RenderRelease,
    platforms: dict[str, Platform],
    serve_webhook: ServeWebhook,
) -> Iterator[None]:
    """One node of eight H100, a team, a namespace of no team, and the webhook."""
    release = render_release("training", Admission.BACKSTOP)
    team = read_release(release, "priority-classes", "team-research")
    with (
        joined(admin, *nodes_of(platforms["training"], "h100", 1)),
        applied(admin, [*team, namespace(ELSEWHERE)]),
        serve_webhook(release),
    ):
        yield


@pytest.fixture(autouse=True)
def _empty_namespace(admin: ApiClient) -> Iterator[None]:
    yield
    empty(admin, TEAM)


def beside(pod: Document, **fields: object) -> Document:
    """Add a container that asks for no GPU to a pod, with what its first one has otherwise."""
    containers = pod["spec"]["containers"]
    plain = {**containers[0], "name": "beside", "image": IMAGE, "resources": {}}
    containers.append({**plain, **fields})
    return pod


def without_gpu(pod: Document, **fields: object) -> Document:
    (container,) = pod["spec"]["containers"]
    container.update({"resources": {}, "image": IMAGE, **fields})
    return pod


def refusal(client: ApiClient, pod: Document) -> str:
    """Return why a pod is refused."""
    with pytest.raises(ApiError) as refused:
        client.create(pod)
    return said(refused.value)


def said(error: ApiError) -> str:
    assert error.answer.status == HTTPStatus.FORBIDDEN
    return reason_of(error)


def claiming(name: str, namespace: str) -> Document:
    """Return a pod that holds a claim for nothing and tolerates everything."""
    pod = without_gpu(plain_pod(name, namespace), **HOLDS)
    pod["spec"] |= CLAIMS | {"tolerations": [{"operator": "Exists"}]}
    return pod


def test_a_claim_for_nothing_opens_no_gpu_node(admin: ApiClient, evidence: Evidence) -> None:
    reason = refusal(admin, claiming("intruder", ELSEWHERE))
    with applied(admin, [NOTHING]):
        admin.create(claiming("intruder", TEAM))
        (waiting,) = placements(admin, TEAM, 1)
        empty(admin, TEAM)
    assert reason == (
        "gpu-node-intrusion: The pod holds claims and asks for no GPU resource, but tolerates the "
        "taints of pool a100-mixed, where claims get no GPU. Ask for a GPU resource, or remove "
        "that from spec.tolerations."
    )
    assert waiting.node is None
    assert waiting.reason.startswith(
        "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."
    )
    evidence.show(
        "A pod with a claim that allocates nothing, which tolerates everything, lands on no GPU "
        "node.",
        f"of a team: `{waiting.reason}`; elsewhere: {HTTPStatus.FORBIDDEN.value} `{reason}`",
    )


def test_a_container_that_holds_a_claim_for_nothing_sees_no_gpu(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = beside(plain_pod("onlooker", TEAM), **HOLDS)
    pod["spec"] |= CLAIMS
    with applied(admin, [NOTHING]):
        admin.create(pod)
        (placed,) = placements(admin, TEAM, 1)
        train, looking = admin.get("v1", "Pod", "onlooker", TEAM)["spec"]["containers"]
        empty(admin, TEAM)
    assert (placed.node, train.get("env"), looking["env"]) == (NODE, None, [VOID])
    evidence.show(
        "A container that holds a claim which allocates nothing, beside one with a GPU, sees none, "
        "whatever its image says.",
        f"on a node of 8 H100; {VOID['name']}={VOID['value']} in the second",
    )


def test_an_ephemeral_container_sees_no_gpu_of_its_pod_s_node(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = admin.create(plain_pod("debugged", TEAM)).document
    security = pod["spec"]["containers"][0]["securityContext"]
    first = {"name": "first", "image": IMAGE, "securityContext": security}
    admin.patch(pod, {"spec": {"ephemeralContainers": [first]}}, "ephemeralcontainers")
    stored = admin.get("v1", "Pod", "debugged", TEAM)
    (debugger,) = stored["spec"]["ephemeralContainers"]
    second = {**first, "name": "second", "env": [{**VOID, "value": "all"}]}
    both = {"spec": {"ephemeralContainers": [second, debugger]}}
    with pytest.raises(ApiError) as by_hand:
        admin.patch(pod, both, "ephemeralcontainers")
    # Who fixes it is shown a pod without GPUs: what cannot be changed is put back later.
    spec = without_gpu(plain_pod("debugged", TEAM))["spec"]
    spec["ephemeralContainers"] = [{**first, "name": "second"}, debugger]
    path = admin.path_of(pod, "ephemeralcontainers")
    with pytest.raises(ApiError) as hidden:
        admin.request("PUT", path, {**stored, "spec": spec})
    assert debugger["env"] == [VOID]
    assert said(by_hand.value) == (
        "visible-devices: The container second sets NVIDIA_VISIBLE_DEVICES by hand, which takes "
        "GPUs that the scheduler did not give it. Remove spec.ephemeralContainers[0].env[0] and "
        "ask for a GPU resource."
    )
    assert said(hidden.value) == (
        "visible-devices: The container second asks for no GPU, but would see every GPU of its "
        "node if its image sets NVIDIA_VISIBLE_DEVICES. Set NVIDIA_VISIBLE_DEVICES to void."
    )
    evidence.show(
        "An ephemeral container that is added to a GPU pod sees no GPU; one that cannot be fixed "
        "is refused.",
        f"{VOID['name']}={VOID['value']}; {HTTPStatus.FORBIDDEN.value} `{said(by_hand.value)}`",
    )


def test_no_source_of_variables_sets_what_takes_gpus_or_preloads_a_library(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = beside(plain_pod("sourced", TEAM), envFrom=SOMETHING)
    pod["spec"]["containers"][0]["envFrom"] = SOMETHING
    train, other = admin.create(pod).document["spec"]["containers"]
    assert train["env"] == [PRELOADS_NOTHING]
    assert other["env"] == [VOID, PRELOADS_NOTHING]
    evidence.show(
        "What takes its variables from a ConfigMap gets neither GPUs nor a preloaded library from "
        "there: an entry of the container's own comes before it.",
        "LD_PRELOAD empty in both containers; NVIDIA_VISIBLE_DEVICES=void in the one without GPU",
    )


@pytest.mark.parametrize("variable", ["AMD_VISIBLE_DEVICES", "HABANA_VISIBLE_DEVICES"])
def test_the_variables_of_other_makers_are_refused_as_well(
    admin: ApiClient, evidence: Evidence, variable: str
) -> None:
    takes_all = [{"name": variable, "value": "all"}]
    reason = refusal(admin, without_gpu(plain_pod("taker", TEAM), env=takes_all))
    assert reason == (
        f"visible-devices: The container main sets {variable} by hand, which takes GPUs that the "
        "scheduler did not give it. Remove spec.containers[0].env[0] and ask for a GPU resource."
    )
    evidence.show(
        f"{variable} takes no GPU that the scheduler did not give.",
        f"{HTTPStatus.FORBIDDEN.value} `{reason}`",
    )
