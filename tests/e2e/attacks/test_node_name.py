"""Nobody in a team gets onto a GPU node by its name, past the scheduler and the node's taints."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpus.platform_names import FIXED
from tests.e2e.claims.access_reviews import Right, granted
from tests.e2e.claims.cluster import RenderRelease, granting
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest, workload
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import PATIENCE_SECONDS, applied, empty, namespace, read_release
from tests.e2e.scheduling.gpu_pods import GPU, gpu_pod_spec, plain_spec
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import placements
from tests.e2e.webhook.registration import DENIED, ServeWebhook, reason_of

TEAM = "research-training"
VOLUMES = "local-path-storage"
NODE = "training-h100-0"
COMPONENTS = ("priority-classes", "gpu-roles", "team-research")
REFUSED = (
    f"node-name: The pod names its node {NODE} itself, past the scheduler and the node's taints. "
    "Remove spec.nodeName; choose nodes by spec.nodeSelector or node affinity."
)
STATIC = {"kubernetes.io/config.mirror": "a"}
ACCOUNTS = f"system:serviceaccounts:{VOLUMES}"
GROUPS = (
    ("ml-research", TEAM),
    ("ml-research-leads", TEAM),
    ("system:nodes", TEAM),
    (ACCOUNTS, VOLUMES),
)
"""Who creates pods here, and where."""
CREATORS = granting(
    "attacks-creators",
    [{"apiGroups": [""], "resources": ["pods"], "verbs": ["create"]}],
    {"kind": "Group", "name": "system:nodes"},
    {"kind": "Group", "name": ACCOUNTS},
)
"""What lets kubelets and the service accounts of a namespace create pods everywhere."""


@pytest.fixture(scope="module", autouse=True)
def _attacked(
    admin: ApiClient,
    render_release: RenderRelease,
    platforms: dict[str, Platform],
    serve_webhook: ServeWebhook,
) -> Iterator[None]:
    """One node of eight H100, a team with its rights, a namespace of no team, and the webhook."""
    release = render_release("training", Admission.BACKSTOP)
    objects = [*read_release(release, *COMPONENTS), namespace(VOLUMES), *CREATORS]
    with (
        joined(admin, *nodes_of(platforms["training"], "h100", 1)),
        applied(admin, objects),
        serve_webhook(release),
    ):
        rights = [(group, Right("create", "pods", "", place)) for group, place in GROUPS]
        # The API server reads of roles late.
        once_seen(lambda: [granted(admin, group, [right]) for group, right in rights], all)
        yield


@pytest.fixture(autouse=True)
def _empty_namespaces(admin: ApiClient) -> Iterator[None]:
    yield
    for name in (TEAM, VOLUMES):
        empty(admin, name)


@pytest.fixture
def user(admin: ApiClient) -> ApiClient:
    """Somebody with a user's rights in the team's namespaces."""
    return admin.impersonating("ada@example.com", "ml-research", "system:authenticated")


def spec() -> Document:
    """Return that of a pod without GPUs that names a GPU node; its image may ask for all GPUs."""
    plain = plain_spec()
    (container,) = plain["containers"]
    return {**plain, "containers": [{**container, "resources": {}}], "nodeName": NODE}


def pod(name: str, namespace: str = TEAM, **metadata: object) -> Document:
    return manifest("v1 Pod", name, namespace, metadata, spec=spec())


def test_a_pod_that_names_a_gpu_node_is_refused(
    admin: ApiClient, user: ApiClient, evidence: Evidence
) -> None:
    with pytest.raises(ApiError) as refused:
        user.create(pod("sidestep"))
    assert reason_of(refused.value) == REFUSED
    assert admin.find("v1", "Pod", TEAM) == []
    evidence.show(
        "A pod without GPUs that names a GPU node, past its taints, is refused.",
        f"`{REFUSED}`; 0 pods",
    )


def test_nobody_in_a_team_has_a_controller_name_the_node(
    admin: ApiClient, user: ApiClient, evidence: Evidence
) -> None:
    deployment = workload("apps/v1 Deployment", "sidestep", TEAM, spec(), replicas=1)
    user.create(deployment)
    failed = admin.wait_for(deployment, lambda each: _failure(each) != "", PATIENCE_SECONDS)
    assert _failure(failed).partition(DENIED)[2] == REFUSED
    assert admin.find("v1", "Pod", TEAM) == []
    evidence.show(
        "A Deployment whose template names a GPU node gets no pods.",
        "its condition ReplicaFailure says so; 0 pods",
    )


def _failure(deployment: Document) -> str:
    conditions = deployment.get("status", {}).get("conditions", ())
    found = [each["message"] for each in conditions if each["type"] == "ReplicaFailure"]
    return "".join(found)


def test_an_annotation_makes_no_static_pod(
    admin: ApiClient, user: ApiClient, evidence: Evidence
) -> None:
    with pytest.raises(ApiError) as refused:
        user.create(pod("static", annotations=STATIC))
    assert reason_of(refused.value) == REFUSED
    kubelet = f"system:node:{NODE}"
    client = admin.impersonating(kubelet, "system:nodes", "system:authenticated")
    created = client.create(pod("static", annotations=STATIC)).document
    assert created["spec"]["nodeName"] == NODE
    assert FIXED not in created["metadata"]["annotations"]
    evidence.show(
        "A pod that says it mirrors a static one is refused, unless a kubelet shows it.",
        "refused to a user of the team; from the kubelet stored as it is",
    )


@pytest.mark.parametrize("lead", [False, True], ids=["user", "lead"])
def test_nobody_in_a_team_binds_a_pod_to_a_node(
    admin: ApiClient, evidence: Evidence, lead: bool
) -> None:
    group = "ml-research-leads" if lead else "ml-research"
    client = admin.impersonating("ada@example.com", group, "system:authenticated")
    unplaced = pod("unplaced")
    del unplaced["spec"]["nodeName"]
    client.create(unplaced)
    target = {"apiVersion": "v1", "kind": "Node", "name": NODE}
    binding = manifest("v1 Binding", "unplaced", TEAM, target=target)
    path = client.path("v1", "Pod", TEAM)
    for place in (f"{path}/unplaced/binding", path.replace("/pods", "/bindings")):
        with pytest.raises(ApiError) as refused:
            client.request("POST", place, binding)
        assert refused.value.answer.status == HTTPStatus.FORBIDDEN
    evidence.show(
        f"The group {group} may not bind a pod to a node in the scheduler's place.",
        "403 for pods/binding and for bindings",
    )


def test_what_is_bound_to_nodes_still_gets_there(admin: ApiClient, evidence: Evidence) -> None:
    daemon_set = workload("apps/v1 DaemonSet", "sidestep", TEAM, gpu_pod_spec({GPU: 1}))
    admin.create(daemon_set)
    try:
        (placed,) = placements(admin, TEAM, 1)
    finally:
        admin.delete(daemon_set)
    assert placed.node == NODE
    account = f"system:serviceaccount:{VOLUMES}:provisioner"
    provisioner = admin.impersonating(account, ACCOUNTS, "system:authenticated")
    helper = provisioner.create(pod("helper", VOLUMES)).document
    with pytest.raises(ApiError) as refused:
        provisioner.create(pod("helper"))
    debugger = admin.create(pod("debugger", "kube-system"), dryRun="All").document
    assert [each["spec"]["nodeName"] for each in (helper, debugger)] == [NODE] * 2
    assert reason_of(refused.value) == REFUSED
    evidence.show(
        "The pods of a DaemonSet, those that a controller beside them binds to a node, and an "
        "administrator's in kube-system still get there.",
        "placed by the scheduler; admitted outside of the teams' namespaces, refused in one",
    )
