"""A team takes no GPU of a pool that it may not use, whatever its priority."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from charts_py.objects.document import Document
from charts_py.platform.policy_settings import policy_settings
from tests.e2e.claims.cluster import load_claim_cluster, write_release
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.gpu_pods import GPU, gpu_pod, required
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import (
    Placement,
    create_all,
    is_ending,
    placements,
    pods_by_node,
)
from tests.e2e.webhook.registration import ServeWebhook

NAMESPACE = "claims-training"
"""It may use h100 and t4; a100 offers the same resource."""
POLICY = (
    f"ValidatingAdmissionPolicy 'granted-pools.{NAMESPACE}.gpuplane.io' with binding "
    f"'granted-pools.{NAMESPACE}.gpuplane.io'"
)
OTHERS = "others"
GPUS = 8
OWN, FOREIGN = "claims-h100-0", "claims-a100-0"
NAMED = {"gpuplane.io/pool": "h100"}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(load_claim_cluster(), tmp_path)


@pytest.fixture
def holders(admin: ApiClient, release: Path) -> Iterator[list[Document]]:
    """Two nodes, one of a pool that the team may use; batch pods hold all GPUs of the other."""
    platform = load_claim_cluster()
    nodes = [*nodes_of(platform, "h100", 1), *nodes_of(platform, "a100", 1)]
    classes = read_release(release, "priority-classes")
    found = [holder(f"holder-{number}") for number in range(GPUS)]
    with joined(admin, *nodes), applied(admin, [*classes, namespace(OTHERS)]):
        create_all(admin, found)
        assert pods_by_node(placements(admin, OTHERS, GPUS)) == {FOREIGN: GPUS}
        yield found


def holder(name: str) -> Document:
    pod = gpu_pod(name, OTHERS, {GPU: 1}, cpu="1", priority="batch")
    pod["spec"]["nodeSelector"] = {"gpuplane.io/pool": "a100"}
    return pod


@contextmanager
def placed(client: ApiClient, release: Path) -> Iterator[list[Placement]]:
    """Pods of the team that ask for all GPUs, and where they stand; then its namespaces go."""
    names = [f"pod-{number:02}" for number in range(2 * GPUS)]
    pods = (gpu_pod(name, NAMESPACE, {GPU: 1}, cpu="1", priority="training") for name in names)
    with applied(client, read_release(release, "team-research")):
        create_all(client, pods)
        yield placements(client, NAMESPACE, len(names))


def staying(client: ApiClient) -> int:
    """Return how many of the batch pods are not to end."""
    return sum(not is_ending(pod) for pod in client.find("v1", "Pod", OTHERS))


def test_a_team_fills_and_preempts_no_pool_that_it_may_not_use(
    admin: ApiClient,
    evidence: Evidence,
    release: Path,
    serve_webhook: ServeWebhook,
    holders: list[Document],
) -> None:
    with serve_webhook(release), placed(admin, release) as kept:
        untouched = staying(admin)
    (reason,) = {each.reason for each in kept if each.node is None}
    assert pods_by_node(kept) == {OWN: GPUS, None: GPUS}
    assert untouched == len(holders)
    assert reason.startswith(
        "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, "
        "1 node(s) didn't match Pod's node affinity/selector."
    )
    with placed(admin, release):
        # The scheduler ends those that give way a moment later.
        once_seen(lambda: staying(admin), lambda count: count == 0, f"no pod in {OTHERS} stays")
    evidence.show(
        "A team takes no GPU of a pool that it may not use, from pods with a lower priority "
        "neither.",
        f"of {2 * GPUS} training pods {GPUS} on the team's pool, {GPUS} Pending; {untouched} of "
        f"{len(holders)} batch pods of others stay; without the webhook 0",
    )


def test_while_no_webhook_answers_the_api_server_refuses_what_could_land_there(
    admin: ApiClient, evidence: Evidence, release: Path
) -> None:
    team = read_release(release, "priority-classes", "team-research", "admission-policies")
    with applied(admin, team):
        refused = admin.wait_until_refused(team_pod("anywhere"))
        admitted = admin.create(team_pod("named", nodeSelector=NAMED)).document
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message == (
        f'pods "anywhere" is forbidden: {POLICY} denied request: GPU pods of this namespace run on '
        "h100, t4 only; require the node label gpuplane.io/pool with one of them in "
        "spec.nodeSelector or spec.affinity.nodeAffinity. The admission webhook gpuplane-webhook "
        "adds that where it answers."
    )
    assert admitted["spec"]["nodeSelector"] == NAMED
    evidence.show(
        "While no webhook answers, the API server refuses a pod that could take such a GPU, and "
        "admits one that names a pool and carries the labels of its team.",
        f"{refused.answer.status} `{refused.message}`",
    )


UNCUT = "claims-a100-mig-0"


def test_while_no_webhook_answers_a_pool_of_others_that_is_not_cut_yet_is_out_of_reach(
    admin: ApiClient, evidence: Evidence, release: Path
) -> None:
    (node,) = nodes_of(load_claim_cluster(), "a100-mig", 1)
    whole = {**node["status"]["capacity"], GPU: str(GPUS)}
    node["status"] |= {"capacity": whole, "allocatable": whole}
    pod = team_pod("whole", nodeSelector={"gpuplane.io/pool": "a100-mig"})
    with joined(admin, node):
        landed = landing(admin, release, pod)
    refused = refused_by_policies(admin, release, pod)
    assert (landed, refused.answer.status) == (UNCUT, HTTPStatus.FORBIDDEN)
    assert refused.message.startswith(f'pods "whole" is forbidden: {POLICY} denied request: ')
    evidence.show(
        "While no webhook answers, no pod for whole GPUs lands on a node of others that is not cut "
        "into MIG instances yet.",
        f"{refused.answer.status}; without the policy on {landed}",
    )


def test_while_no_webhook_answers_a_node_of_others_without_labels_is_out_of_reach(
    admin: ApiClient, evidence: Evidence, release: Path
) -> None:
    (node,) = nodes_of(load_claim_cluster(), "a100", 1)
    del node["metadata"]["labels"]["gpuplane.io/pool"]
    pod = team_pod("excluding", affinity=excluding("a100", "a100-mig", "a100-shared"))
    with joined(admin, node):
        landed = landing(admin, release, pod)
    refused = refused_by_policies(admin, release, pod)
    assert (landed, refused.answer.status) == (FOREIGN, HTTPStatus.FORBIDDEN)
    assert refused.message.startswith(f'pods "excluding" is forbidden: {POLICY} denied request: ')
    evidence.show(
        "While no webhook answers, no pod that only excludes the pools of others lands on a node "
        "of theirs before it has labels.",
        f"{refused.answer.status}; without the policy on {landed}",
    )


def team_pod(name: str, **spec: Any) -> Document:
    """Return a pod that only its pool can be wrong with: it has the labels of its team."""
    own = policy_settings(load_claim_cluster()).namespaces[NAMESPACE]
    pod = gpu_pod(name, NAMESPACE, {GPU: 1}, cpu="1", labels=dict(own.labels))
    pod["spec"] |= spec
    return pod


def excluding(*pools: str) -> Document:
    expression = {"key": "gpuplane.io/pool", "operator": "NotIn", "values": list(pools)}
    return required([{"matchExpressions": [expression]}])


def landing(client: ApiClient, release: Path, pod: Document) -> str | None:
    """Return the node on which the scheduler places a pod of the team without the policies."""
    with applied(client, read_release(release, "priority-classes", "team-research")):
        client.create(pod)
        (placed,) = placements(client, NAMESPACE, 1)
    return placed.node


def refused_by_policies(client: ApiClient, release: Path, pod: Document) -> ApiError:
    """Return how the API server refuses a pod of the team by its policies."""
    team = read_release(release, "priority-classes", "team-research", "admission-policies")
    with applied(client, team):
        return client.wait_until_refused(pod)
