"""A team gets the GPUs of its quota, and not one more."""

from http import HTTPStatus
from pathlib import Path

import pytest

from charts_py.platform.platform import Platform
from tests.e2e.claims.cluster import load_claim_cluster, rendered
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied, read_release
from tests.e2e.scheduling.gpu_pods import gpu_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import create_all, placements, pods_by_node
from tests.e2e.webhook.registration import denial

NAMESPACE = "simulation"
GPU = "amd.com/gpu"
QUOTA = 16


def test_the_seventeenth_gpu_of_a_quota_of_sixteen_is_refused(
    admin: ApiClient,
    evidence: Evidence,
    platforms: dict[str, Platform],
    live_releases: dict[str, Path],
) -> None:
    nodes = nodes_of(platforms["onprem"], "mi300x", 3)
    team = read_release(live_releases["onprem"], "priority-classes", "team-simulation")
    with joined(admin, *nodes), applied(admin, team):
        admin.wait_until_refused(gpu_pod("pod", NAMESPACE, {GPU: QUOTA + 1}), "exceeded quota")
        create_all(admin, (gpu_pod(f"pod-{n:02}", NAMESPACE, {GPU: 1}) for n in range(QUOTA)))
        placed = placements(admin, NAMESPACE, QUOTA)
        with pytest.raises(ApiError) as refused:
            admin.create(gpu_pod("pod-16", NAMESPACE, {GPU: 1}))
    assert None not in pods_by_node(placed)
    assert refused.value.answer.status == HTTPStatus.FORBIDDEN
    assert refused.value.message == (
        f'pods "pod-16" is forbidden: exceeded quota: quota, requested: requests.{GPU}=1, '
        f"used: requests.{GPU}={QUOTA}, limited: requests.{GPU}={QUOTA}"
    )
    evidence.show(
        "The 17th GPU against a quota of 16 is refused, though there are 24.",
        f"{refused.value.answer.status} `{refused.value.message}`",
    )


OWN_HOME = "claims-training"
FOREIGN = "made-by-others"
FOREIGN_CLASS = manifest("scheduling.k8s.io/v1 PriorityClass", FOREIGN, value=1)


def test_a_priority_class_that_is_not_the_teams_is_refused_whoever_made_it(
    admin: ApiClient, evidence: Evidence
) -> None:
    team = rendered(load_claim_cluster(), "priority-classes", "team-research")
    with applied(admin, [FOREIGN_CLASS, *team]):
        refusals = {
            name: denial(admin, gpu_pod("pod", OWN_HOME, {}, priority=name))
            for name in (FOREIGN, "batch", "training", None)
        }
    quota = "exceeded quota: foreign-priorities, requested: pods=1, used: pods=0, limited: pods=0"
    forbidden = f'pods "pod" is forbidden: {quota}'
    assert refusals == {FOREIGN: forbidden, "batch": forbidden, "training": None, None: None}
    evidence.show(
        "A pod with a priority class that is not its team's is refused, whoever made the class; "
        "one with none is not.",
        f"`{forbidden}`, for a class of the platform and for one of others",
    )
