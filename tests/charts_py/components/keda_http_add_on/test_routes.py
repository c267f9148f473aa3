"""Which InterceptorRoutes and Services the API server takes, by a real evaluator of CEL."""

from typing import Any

from charts_py.cluster_file.serving import Gateway
from charts_py.components.keda_http_add_on.routes import EXTERNAL_NAMES, interceptor_routes
from tests.charts_py.components.evaluated import OF_TEAMS, about
from tests.charts_py.components.kueue.refusals import refusals
from tests.rows import rows_beside

each_row = rows_beside(__file__, "routes.yaml")
POLICY = interceptor_routes(Gateway(domain="models.example.com", issuer="letsencrypt"))
MESSAGES = {
    "kind": "An HTTPScaledObject is not allowed: write an InterceptorRoute and a ScaledObject.",
    "hosts": "Each rule of an InterceptorRoute lists hosts, which are names of its team, "
    "NAME.TEAM.models.example.com, without wildcards: the interceptor serves all teams.",
    "many": "An InterceptorRoute has at most 8 rules, and a rule at most 8 hosts, paths and "
    "headers.",
    "service": "An InterceptorRoute leads to Services of its namespace, each by its name alone.",
    "rate": "The scalingMetric of an InterceptorRoute is concurrency, without requestRate, whose "
    "window the scaler keeps in memory for all teams.",
    "timeouts": "A timeout of an InterceptorRoute is a number with a unit, ms, s, m or h, such as "
    "900s: one that the interceptor cannot read ends it for all teams.",
}
USUAL = {
    "target": {"service": "chat", "port": 80},
    "scalingMetric": {"concurrency": {"targetValue": 6}},
    "rules": [{"hosts": ["chat.research.models.example.com"]}],
}
OLD = {"target": {"service": "chat", "port": 80}, "scalingMetric": {"concurrency": {}}}


def _sent(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"namespace": "serving"}, "spec": spec}


@each_row("refused")
def test_a_route_of_a_team_answers_for_its_own_names_and_services(
    spec: dict[str, Any], refused: list[str]
) -> None:
    sent = _sent("InterceptorRoute", {**USUAL, **spec})
    assert refusals(POLICY, sent) == [MESSAGES[each] for each in refused]


def test_a_route_of_before_the_policy_can_be_deleted_but_not_changed() -> None:
    before = _sent("InterceptorRoute", OLD)
    assert refusals(POLICY, before, before) == []
    changed = _sent("InterceptorRoute", {**OLD, "timeouts": {"request": "1s"}})
    assert refusals(POLICY, changed, before) == [MESSAGES["hosts"]]


def test_no_team_has_an_http_scaled_object() -> None:
    sent = _sent("HTTPScaledObject", {"hosts": ["*"], "scaleTargetRef": {"service": "chat"}})
    assert refusals(POLICY, sent) == [MESSAGES["kind"]]


def test_no_service_leads_the_interceptor_out_of_the_namespace() -> None:
    told = (
        "A Service of the type ExternalName is not allowed: the interceptor of KEDA's HTTP add-on "
        "would send requests to whatever it names, from its own network."
    )
    own, outside = (
        _sent("Service", spec)
        for spec in ({"ports": [{"port": 80}]}, {"type": "ExternalName", "externalName": "other"})
    )
    assert [refusals(EXTERNAL_NAMES, *each) for each in ((own,), (outside,))] == [[], [told]]
    assert refusals(EXTERNAL_NAMES, outside, own) == [told]
    assert refusals(EXTERNAL_NAMES, outside, outside) == []


def test_they_are_about_the_namespaces_of_teams() -> None:
    kinds = ["httpscaledobjects", "interceptorroutes"]
    assert POLICY.spec()["matchConstraints"] == about(OF_TEAMS, ["http.keda.sh"], ["*"], kinds)
    constraints = about(OF_TEAMS, [""], ["v1"], ["services"])
    assert EXTERNAL_NAMES.spec()["matchConstraints"] == constraints
