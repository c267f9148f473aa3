"""Services that answer users take the GPUs of batch jobs, and nobody takes theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.gpu_pods import GPU, gpu_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import (
    PATIENCE_SECONDS,
    create_all,
    has_node,
    is_ending,
    placements,
)

NAMESPACE = "claim-preemption"
GPUS = 8
BUDGET = ObjectMeta("guard", NAMESPACE)


@pytest.fixture
def full_node(
    admin: ApiClient,
    platforms: dict[str, Platform],
    live_releases: dict[str, Path],
    request: pytest.FixtureRequest,
) -> Iterator[list[Document]]:
    """The pods of one priority class that hold all GPUs of the only node."""
    (node,) = nodes_of(platforms["training"], "h100", 1)
    classes = read_release(live_releases["training"], "priority-classes")
    names = [f"{request.param}-{number}" for number in range(GPUS)]
    holders = [gpu_pod(name, NAMESPACE, {GPU: 1}, priority=request.param) for name in names]
    with joined(admin, node), applied(admin, [*classes, namespace(NAMESPACE)]):
        create_all(admin, holders)
        placements(admin, NAMESPACE, GPUS)
        yield holders


@pytest.mark.parametrize("full_node", ["batch", "training"], indirect=True)
def test_an_inference_pod_preempts_what_is_below_it(
    admin: ApiClient, evidence: Evidence, full_node: list[Document]
) -> None:
    below = full_node[0]["spec"]["priorityClassName"]
    service = gpu_pod("service", NAMESPACE, {GPU: 1}, priority="inference")
    admin.create(service)
    (name,) = _wait_for_victims(admin)
    victim = admin.get("v1", "Pod", name, NAMESPACE)
    admin.delete(victim)  # as the kubelet does once its containers have ended
    served = admin.wait_for(service, has_node, PATIENCE_SECONDS)
    (told,) = [
        each for each in victim["status"]["conditions"] if each["type"] == "DisruptionTarget"
    ]
    assert victim["spec"]["priorityClassName"] == below
    assert (told["reason"], served["spec"]["nodeName"]) == (
        "PreemptionByScheduler",
        victim["spec"]["nodeName"],
    )
    evidence.show(
        f"An inference pod preempts {below}.",
        f"1 of {GPUS} {below} pods on a full node gave way: `{told['message']}`",
    )


@pytest.mark.parametrize("rival", ["batch", "training"])
@pytest.mark.parametrize("full_node", ["inference"], indirect=True)
def test_nothing_below_preempts_inference(
    admin: ApiClient, evidence: Evidence, full_node: list[Document], rival: str
) -> None:
    admin.create(gpu_pod("rival", NAMESPACE, {GPU: 1}, priority=rival))
    refused = {each.pod: each for each in placements(admin, NAMESPACE, GPUS + 1)}["rival"]
    pods = admin.find("v1", "Pod", NAMESPACE)
    staying = {p["metadata"]["name"] for p in pods if has_node(p) and not is_ending(p)}
    assert staying == {pod["metadata"]["name"] for pod in full_node}
    assert refused.node is None
    evidence.show(
        f"A {rival} pod never preempts inference.",
        f"{len(staying)} of {GPUS} inference pods on a full node stay; {rival}: `{refused.reason}`",
    )


@pytest.mark.parametrize("guarded", [GPUS - 1, GPUS], ids=["all-but-one", "all"])
@pytest.mark.parametrize("full_node", ["batch"], indirect=True)
def test_a_budget_spares_a_pod_from_preemption_only_where_another_will_do(
    admin: ApiClient, evidence: Evidence, full_node: list[Document], guarded: int
) -> None:
    for pod in full_node[:guarded]:
        admin.patch(pod, {"metadata": {"labels": {"guarded": "true"}}})
    spec = {"minAvailable": guarded, "selector": {"matchLabels": {"guarded": "true"}}}
    admin.create(object_of("policy/v1", "PodDisruptionBudget", BUDGET, {"spec": spec}))
    admin.create(gpu_pod("service", NAMESPACE, {GPU: 1}, priority="inference"))
    (victim,) = _wait_for_victims(admin)
    has_budget = victim in {pod["metadata"]["name"] for pod in full_node[:guarded]}
    assert has_budget == (guarded == GPUS)
    evidence.show(
        "A PodDisruptionBudget that allows no disruption spares a pod from preemption only where "
        "another will do.",
        f"{guarded} of {GPUS} batch pods have it: {victim} gave way, which has "
        f"{'it, too' if has_budget else 'none'}",
    )


def _wait_for_victims(client: ApiClient) -> list[str]:
    """Return the names of the pods that give way, which the scheduler ends a moment later."""
    pods = once_seen(
        lambda: list(filter(is_ending, client.find("v1", "Pod", NAMESPACE))),
        what=f"a pod in {NAMESPACE} gives way",
    )
    return [pod["metadata"]["name"] for pod in pods]
