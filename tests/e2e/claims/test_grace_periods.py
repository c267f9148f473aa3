"""No pod of a team is deleted with hours to end, in which it would keep its GPUs."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.objects.document import Document
from policies.settings import MAX_GRACE_PERIOD_SECONDS as MOST
from tests.e2e.claims.cluster import load_claim_cluster, write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.api_connection import ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.polling import polls
from tests.e2e.releases.objects import applied, read_release
from tests.e2e.scheduling.cpu_node import cpu_node
from tests.e2e.scheduling.gpu_nodes import join, leave
from tests.e2e.scheduling.placements import PATIENCE_SECONDS
from tests.e2e.scheduling.team_pods import gpu_pod

NAMESPACE = "claims-training"
POLICY = "grace-periods.gpuplane.io"
MEMBER = ("someone@example.com", "research", "system:authenticated")


@pytest.fixture
def placed(admin: ApiClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Document]:
    """A pod on a node: one that is on none is gone at once, whatever its period."""
    folder = tmp_path_factory.mktemp("grace-periods")
    write_release(load_claim_cluster(), folder)
    components = ("priority-classes", "gpu-roles", "team-research", "admission-policies")
    node = cpu_node("grace-periods")
    pod = gpu_pod("kept", NAMESPACE, {}, cpu="1", priority="training")
    with applied(admin, read_release(folder, *components)):
        join(admin, node)
        admin.create(pod)
        yield admin.wait_for(pod, lambda found: "nodeName" in found["spec"], PATIENCE_SECONDS)
        admin.delete(pod)
        leave(admin, node)


def deleted(client: ApiClient, pod: Document, seconds: int) -> None:
    """Try to delete a pod with a period in which it may end."""
    options = {"gracePeriodSeconds": seconds, "dryRun": ["All"]}
    client.request("DELETE", client.paths.of(pod), options)


def refusal(client: ApiClient, pod: Document, seconds: int) -> ApiError:
    """Return how the API server refuses it, which reads of policies late."""
    for _ in polls(PATIENCE_SECONDS):
        try:
            deleted(client, pod, seconds)
        except ApiError as error:
            return error
    raise TimeoutError(f"it is still deleted after {PATIENCE_SECONDS} s")


def test_a_pod_is_deleted_with_no_more_time_to_end_than_its_template_may_state(
    admin: ApiClient, placed: Document, evidence: Evidence
) -> None:
    member = admin.impersonating(*MEMBER)
    refused = refusal(member, placed, MOST + 1)
    deleted(member, placed, MOST)
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message == (
        f"pods \"kept\" is forbidden: ValidatingAdmissionPolicy '{POLICY}' with binding "
        f"'{POLICY}' denied request: a pod that is deleted has at most {MOST} seconds to end "
        "(gracePeriodSeconds): until then it keeps its GPUs."
    )
    evidence.show(
        "A team deletes no pod with hours to end, in which it would keep its GPUs.",
        f"{refused.answer.status} `{refused.message}`",
    )
