"""The API server takes what `gpuplane new` prints for a cluster that serves."""

from typing import Any

from charts_py.objects.document import Document
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.route.asked import AskedRoute
from gpuplane.workloads.route.http_route import new_route
from gpuplane.workloads.workload import new_workload
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.crds import install_unserved
from tests.e2e.serving.cluster import ServingCluster
from tests.rows import rows_beside

each_row = rows_beside(__file__, "printed.yaml")
OF_ADMINS = "PodDisruptionBudget"
"""What members of a team may not create, as a note says."""


def _kinds_taken(serving: ServingCluster, documents: tuple[Document, ...]) -> list[str]:
    install_unserved(serving.admin, documents)
    for each in documents:
        client = serving.admin if each["kind"] == OF_ADMINS else serving.member
        client.create(each, dryRun="All", fieldValidation="Strict")
    return [each["kind"] for each in documents]


@each_row("workloads")
def test_a_member_of_a_team_creates_what_serves(
    serving: ServingCluster, evidence: Evidence, fields: dict[str, Any], kinds: list[str]
) -> None:
    asked = Asked(team="research", image="registry.example.com/server:1.0", **fields)
    assert _kinds_taken(serving, new_workload(asked, serving.platform).documents) == kinds
    options = " ".join(
        f"--{name.replace('_', '-')}"
        for name in ("max_replicas", "prefill_replicas", "picker", "canary")
        if name in fields
    )
    evidence.show(
        "A member of a team creates what `gpuplane new` prints to serve, every field known.",
        f"{fields['kind']} {options}: {', '.join(kinds)}".replace(" :", ":"),
    )


@each_row("routes")
def test_a_member_of_a_team_creates_a_route(serving: ServingCluster, backends: list[str]) -> None:
    asked = AskedRoute(name="chat", team="research", backends=tuple(backends))
    assert _kinds_taken(serving, new_route(asked, serving.platform).documents) == ["HTTPRoute"]
