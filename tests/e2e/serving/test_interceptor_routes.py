"""InterceptorRoutes of a team answer for its own hostnames and Services, whatever it writes."""

from collections.abc import Iterator
from typing import Any

import pytest

from charts_py.cluster_file.serving import Gateway
from charts_py.components.admission_policy import policy_objects
from charts_py.components.keda_http_add_on.routes import EXTERNAL_NAMES, interceptor_routes
from charts_py.objects.document import Document
from tests.charts_py.components.keda_http_add_on.test_routes import MESSAGES, USUAL, each_row
from tests.e2e.control_plane.api_client import why_not
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import install_unserved
from tests.e2e.releases.objects import applied
from tests.e2e.serving.cluster import NAMESPACE, ServingCluster

POLICY = interceptor_routes(Gateway(domain="models.example.com", issuer="letsencrypt"))
DENIED = f"'{POLICY.name}' denied request: "


def _route(spec: Document) -> Document:
    return manifest("http.keda.sh/v1beta1 InterceptorRoute", "chat", NAMESPACE, spec=spec)


OUTSIDE = manifest(
    "v1 Service",
    "outside",
    NAMESPACE,
    spec={"type": "ExternalName", "externalName": "chat.assistants-serving"},
)


@pytest.fixture(scope="module")
def guarded(serving: ServingCluster) -> Iterator[ServingCluster]:
    """The cluster with the policies of the HTTP add-on."""
    everything = _route({**USUAL, "rules": [{"hosts": ["*"]}]})
    install_unserved(serving.admin, [everything])
    with applied(serving.admin, [*policy_objects((POLICY, EXTERNAL_NAMES))]):
        for each in (everything, OUTSIDE):
            serving.admin.wait_until_refused(each)
        yield serving


@each_row("refused")
def test_the_api_server_refuses_routes_as_the_expressions_do(
    guarded: ServingCluster,
    evidence: Evidence,
    request: pytest.FixtureRequest,
    spec: dict[str, Any],
    refused: list[str],
) -> None:
    sent = _route({**USUAL, **spec})
    why = why_not(guarded.member.create, sent, dryRun="All", fieldValidation="Strict")
    told = MESSAGES[refused[0]] if refused else ""
    assert (why.partition(DENIED)[2], bool(why)) == (told, bool(refused))
    evidence.show(
        "InterceptorRoutes of a team answer for its own hostnames and Services: "
        f"{request.node.callspec.id}.",
        f"refused: `{told}`" if told else "taken",
    )


def test_a_service_leads_the_interceptor_nowhere_else(guarded: ServingCluster) -> None:
    why = why_not(guarded.member.create, OUTSIDE, dryRun="All")
    assert f"'{EXTERNAL_NAMES.name}' denied request: A Service of the type ExternalName" in why


@pytest.mark.parametrize("name", [POLICY.name, EXTERNAL_NAMES.name])
def test_expressions_have_the_types_of_the_definitions(guarded: ServingCluster, name: str) -> None:
    named = ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", name)
    status = once_seen(
        lambda: guarded.admin.get(*named).get("status", {}),
        lambda status: "typeChecking" in status,
        f"the types of {name} are checked",
    )
    assert status["typeChecking"] == {}
