"""A budget of a team lets a pod go, so that a drain ends."""

from http import HTTPStatus

from charts_py.objects.document import Document
from tests.e2e.claims.cluster import load_claim_cluster, rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied

NAMESPACE = "claims-training"
POLICY = "disruption-budgets.gpuplane.io"


def budget(name: str, **bound: int | str) -> Document:
    spec = {**bound, "selector": {"matchLabels": {"app": "training"}}}
    return manifest("policy/v1 PodDisruptionBudget", name, NAMESPACE, spec=spec)


def test_a_budget_that_lets_no_pod_go_is_refused(admin: ApiClient, evidence: Evidence) -> None:
    components = ("priority-classes", "team-research", "admission-policies")
    with applied(admin, rendered(load_claim_cluster(), *components)):
        refused = admin.wait_until_refused(budget("none-goes", maxUnavailable=0))
        others = [
            admin.wait_until_refused(budget("none-goes", minAvailable=least)).message
            for least in ("99%", "96%", 100, 1000)
        ]
        admin.create(budget("one-goes", maxUnavailable="1%"))
        admin.create(budget("one-of-twenty-goes", minAvailable="95%"))
        admin.create(budget("one-of-the-namespace-goes", minAvailable=99))
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message == (
        'poddisruptionbudgets.policy "none-goes" is forbidden: ValidatingAdmissionPolicy '
        f"'{POLICY}' with binding '{POLICY}' denied request: a PodDisruptionBudget that lets no "
        "pod go keeps its nodes from being drained for ever, broken GPUs included, as do "
        "maxUnavailable: 0, a minAvailable above 95%, and one of 100 pods or more where the "
        "namespace may hold fewer GPUs. Let at least one replica go at a time (maxUnavailable: 1, "
        "or a percentage, which is rounded up), and have a job write checkpoints, without a budget."
    )
    assert others == [refused.message] * 4
    evidence.show(
        "A PodDisruptionBudget of a team that would keep a node from being drained is refused.",
        f"{refused.answer.status} `{refused.message}`",
    )
