"""A team takes no address outside of the cluster."""

from http import HTTPStatus

from charts_py.objects.document import Document
from tests.e2e.claims.cluster import load_claim_cluster, rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied

NAMESPACE = "claims-training"
POLICY = "external-addresses.gpuplane.io"


def service(name: str, *addresses: str) -> Document:
    spec = {"ports": [{"port": 443}], "externalIPs": list(addresses)}
    return manifest("v1 Service", name, NAMESPACE, spec=spec)


def test_a_service_of_a_team_takes_no_address_outside_of_the_cluster(
    admin: ApiClient, evidence: Evidence
) -> None:
    components = ("priority-classes", "team-research", "admission-policies")
    with applied(admin, rendered(load_claim_cluster(), *components)):
        refused = admin.wait_until_refused(service("taken", "203.0.113.7"))
        admin.create(service("plain"))
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message == (
        f"services \"taken\" is forbidden: ValidatingAdmissionPolicy '{POLICY}' with binding "
        f"'{POLICY}' denied request: Services of this namespace have no spec.externalIPs, which "
        "take from everybody in the cluster what is sent to these addresses; use a Service of type "
        "LoadBalancer, which the quota counts."
    )
    evidence.show(
        "A Service of a team takes no address outside of the cluster, which no quota counts.",
        f"{refused.answer.status} `{refused.message}`",
    )
