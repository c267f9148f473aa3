"""Which routes of teams the API server takes, by a real evaluator of CEL."""

from typing import Any

from charts_py.components.gateway.routes import routes
from tests.charts_py.components.evaluated import OF_TEAMS, about
from tests.charts_py.components.kueue.refusals import refusals
from tests.rows import rows_beside

ROUTES, TO_SLEEPERS = routes(can_sleep=False), routes(can_sleep=True)
each_row = rows_beside(__file__, "routes.yaml")
MESSAGES = {
    "parents": "An HTTPRoute without parentRefs answers for routes of any namespace that lead to "
    "it; name the Gateway in spec.parentRefs.",
    "backends": "An HTTPRoute leads to Services and InferencePools of its own namespace; name no "
    "other namespace, and no HTTPRoute, in backendRefs and in the backendRef of a requestMirror.",
}

TOLD_OF_SLEEPERS = {
    **MESSAGES,
    "backends": f"{MESSAGES['backends']} A rule without filters may lead to the Service "
    "keda-add-ons-http-interceptor-proxy of keda-http-add-on.",
}


def _route(spec: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "HTTPRoute", "metadata": {"name": "chat", "namespace": "serving"}, "spec": spec}


@each_row("refused")
def test_a_route_stays_in_its_namespace(
    spec: dict[str, Any], before: dict[str, Any] | None, refused: list[str]
) -> None:
    earlier = None if before is None else _route(before)
    assert refusals(ROUTES, _route(spec), earlier) == [MESSAGES[each] for each in refused]


@each_row("intercepted")
def test_with_the_http_add_on_a_rule_without_filters_may_lead_to_the_interceptor(
    rule: dict[str, Any], is_taken: bool
) -> None:
    sent = _route({"parentRefs": [{"name": "gateway"}], "rules": [rule]})
    assert refusals(TO_SLEEPERS, sent) == ([] if is_taken else [TOLD_OF_SLEEPERS["backends"]])
    assert refusals(ROUTES, sent) == [MESSAGES["backends"]]


def test_it_is_about_routes_in_the_namespaces_of_teams() -> None:
    group = "gateway.networking.k8s.io"
    assert ROUTES.spec()["matchConstraints"] == about(OF_TEAMS, [group], ["*"], ["httproutes"])
    assert ROUTES.binding_spec()["matchResources"] == {"namespaceSelector": OF_TEAMS}
