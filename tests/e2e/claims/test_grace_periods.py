"""No pod of a team is deleted with hours to end, in which it would keep its GPUs."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.objects.document import Document
from policies.settings import MAX_GRACE_PERIOD_SECONDS as MOST
from tests.e2e.claims.cluster import load_claim_cluster, rendered
from tests.e2e.control_plane.api_client import ApiClient, refusal
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import gpu_pod
from tests.e2e.scheduling.nodes import cpu_node, join, leave
from tests.e2e.scheduling.placements import PATIENCE_SECONDS, has_node

NAMESPACE = "claims-training"
POLICY = "grace-periods.gpuplane.io"
MEMBER = ("someone@example.com", "research", "system:authenticated")


@pytest.fixture
def placed(admin: ApiClient) -> Iterator[Document]:
    """A pod on a node: one that is on none is gone at once, whatever its period."""
    components = ("priority-classes", "gpu-roles", "team-research", "admission-policies")
    node = cpu_node("grace-periods")
    pod = gpu_pod("kept", NAMESPACE, {}, cpu="1", priority="training")
    with applied(admin, rendered(load_claim_cluster(), *components)):
        join(admin, node)
        admin.create(pod)
        yield admin.wait_for(pod, has_node, PATIENCE_SECONDS)
        admin.delete(pod)
        leave(admin, node)


def deleted(client: ApiClient, pod: Document, seconds: int) -> None:
    """Try to delete a pod with a period in which it may end."""
    options = {"gracePeriodSeconds": seconds, "dryRun": ["All"]}
    client.request("DELETE", client.path_of(pod), options)


def test_a_pod_is_deleted_with_no_more_time_to_end_than_its_template_may_state(
    admin: ApiClient, placed: Document, evidence: Evidence
) -> None:
    member = admin.impersonating(*MEMBER)
    refused = once_seen(lambda: refusal(deleted, member, placed, MOST + 1))
    deleted(member, placed, MOST)
    assert refused is not None
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
