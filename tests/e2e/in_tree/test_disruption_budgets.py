"""A budget of a team lets a pod go, so that a drain ends."""

from http import HTTPStatus
from pathlib import Path

from charts_py.objects.document import Document
from tests.e2e.claims.admission import wait_until_refused
from tests.e2e.claims.cluster import load_claim_cluster, write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.objects import applied, read_release

NAMESPACE = "claims-training"
POLICY = "disruption-budgets.gpuplane.io"


def budget(name: str, most: int) -> Document:
    spec = {"maxUnavailable": most, "selector": {"matchLabels": {"app": "training"}}}
    metadata = {"name": name, "namespace": NAMESPACE}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata,
        "spec": spec,
    }


def test_a_budget_that_lets_no_pod_go_is_refused(
    admin: ApiClient, evidence: Evidence, tmp_path: Path
) -> None:
    write_release(load_claim_cluster(), tmp_path)
    team = read_release(tmp_path, "priority-classes", "team-research", "admission-policies")
    with applied(admin, team):
        refused = wait_until_refused(admin, budget("none-goes", 0))
        admin.create(budget("one-goes", 1))
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message == (
        'poddisruptionbudgets.policy "none-goes" is forbidden: ValidatingAdmissionPolicy '
        f"'{POLICY}' with binding '{POLICY}' denied request: a PodDisruptionBudget that lets no "
        "pod go keeps its nodes from being drained for ever, broken GPUs included; let at least "
        "one replica go at a time (maxUnavailable: 1, or a percentage, which is rounded up), and "
        "have a job write checkpoints, without a budget."
    )
    evidence.show(
        "A PodDisruptionBudget of a team that would keep a node from being drained is refused.",
        f"{refused.answer.status} `{refused.message}`",
    )
