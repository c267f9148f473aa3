"""Routes of teams stay in their namespaces, whatever others allow them."""

from collections.abc import Iterator
from typing import Any

import pytest

from charts_py.components.gateway.routes import routes
from charts_py.objects.document import Document
from gpus.platform_names import TEAM
from tests.charts_py.components.gateway.test_routes import TOLD_OF_SLEEPERS, each_row
from tests.e2e.claims.access_reviews import Right, granted
from tests.e2e.control_plane.api_client import why_not
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.serving.cluster import NAMESPACE, ServingCluster

GROUP = "gateway.networking.k8s.io"
ROUTES = routes(can_sleep=True)
DENIED = f"ValidatingAdmissionPolicy '{ROUTES.name}' with binding '{ROUTES.name}' denied request: "
OWN, OTHER = "serving", "other"
"""Namespaces of teams, as the rows name them."""
BEFORE: Document = {"rules": [{"backendRefs": [{"kind": "HTTPRoute", "name": "*"}]}]}
"""The route of the rows that is older than the policy."""
ELSEWHERE: Document = {
    "parentRefs": [{"name": "gateway"}],
    "rules": [{"backendRefs": [{"name": "chat", "port": 80, "namespace": OTHER}]}],
}
LEADING = {
    GROUP: (
        "httproutes",
        "gateways",
        "listenersets",
        "referencegrants",
        "backendtlspolicies",
        "grpcroutes",
        "tlsroutes",
        "tcproutes",
        "udproutes",
    ),
    "agentgateway.dev": ("agentgatewaybackends", "agentgatewaymodels", "agentgatewaypolicies"),
}
"""What leads requests somewhere, by its group."""


def _route(spec: Document, version: str = "v1") -> Document:
    return manifest(f"{GROUP}/{version} HTTPRoute", "chat", OWN, spec=spec)


def _grant() -> Document:
    """Return what lets routes of a team lead to Services of another, by the Gateway API."""
    spec = {
        "from": [{"group": GROUP, "kind": "HTTPRoute", "namespace": OWN}],
        "to": [{"group": "", "kind": "Service"}],
    }
    return manifest(f"{GROUP}/v1 ReferenceGrant", "routes", OTHER, spec=spec)


@pytest.fixture(scope="module")
def opened(serving: ServingCluster) -> Iterator[ServingCluster]:
    """Two more namespaces of teams, of which one has let in routes of the other.

    A route is there that was before its namespace was of a team.
    """
    admin, older = serving.admin, manifest(f"{GROUP}/v1 HTTPRoute", "older", OWN, spec=BEFORE)
    namespaces = [namespace(name) for name in (OWN, OTHER)]
    with applied(admin, [*namespaces, older, _grant()]):
        for each in namespaces:
            admin.patch(each, {"metadata": {"labels": {TEAM: "research"}}})
        admin.wait_until_refused(_route(ELSEWHERE))
        yield serving


def _why_not(cluster: ServingCluster, spec: Document, before: Document | None) -> str:
    admin = cluster.admin
    if before is None:
        return why_not(admin.create, _route(spec), dryRun="All", fieldValidation="Strict")
    assert before == BEFORE
    found = admin.get(f"{GROUP}/v1", "HTTPRoute", "older", OWN)
    change = {**found, "metadata": {**found["metadata"], "labels": {"changed": ""}}, "spec": spec}
    return why_not(admin.request, "PUT", admin.path_of(found), change, dryRun="All")


@each_row("refused")
def test_the_api_server_refuses_routes_as_the_expressions_do(
    opened: ServingCluster,
    evidence: Evidence,
    request: pytest.FixtureRequest,
    spec: dict[str, Any],
    before: dict[str, Any] | None,
    refused: list[str],
) -> None:
    why = _why_not(opened, spec, before)
    # It tells the first of several.
    told = TOLD_OF_SLEEPERS[refused[0]] if refused else ""
    assert (why.partition(DENIED)[2], bool(why)) == (told, bool(refused))
    case = request.node.callspec.id
    evidence.show(
        f"Routes of a team stay in its namespace, whatever a ReferenceGrant allows: {case}.",
        f"refused: `{told}`" if told else "taken",
    )


def test_an_older_version_of_the_api_is_no_way_around(opened: ServingCluster) -> None:
    why = why_not(opened.admin.create, _route(ELSEWHERE, "v1beta1"), dryRun="All")
    assert why.endswith(f"{DENIED}{TOLD_OF_SLEEPERS['backends']}")


def test_a_filter_that_is_not_in_the_pinned_definition_is_no_way_around(
    opened: ServingCluster,
) -> None:
    """Of the experimental channel, a filter asks a backend whether requests may pass."""
    reference = {"name": "copy", "port": 80, "namespace": OTHER}
    asks = {"type": "ExternalAuth", "externalAuth": {"protocol": "HTTP", "backendRef": reference}}
    spec = {"parentRefs": [{"name": "gateway"}], "rules": [{"filters": [asks]}]}
    why = why_not(opened.admin.create, _route(spec), dryRun="All")
    assert 'spec.rules[0].filters[0].type: Unsupported value: "ExternalAuth"' in why


def test_a_team_creates_nothing_but_such_routes_to_lead_requests(serving: ServingCluster) -> None:
    leading = [
        Right("create", resource, group, NAMESPACE)
        for group, resources in LEADING.items()
        for resource in resources
    ]
    allowed = [Right("create", "httproutes", GROUP, NAMESPACE)]
    assert granted(serving.admin, "research", leading) == allowed
