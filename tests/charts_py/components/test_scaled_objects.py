"""Which ScaledObjects of teams the API server takes, by a real evaluator of CEL."""

from typing import Any

from charts_py.components.scaled_objects import scaled_objects
from tests.charts_py.components.evaluated import OF_TEAMS, about
from tests.charts_py.components.kueue.refusals import refusals
from tests.rows import rows_beside

each_row = rows_beside(__file__, "scaled_objects.yaml")
PROMETHEUS = "http://p.monitoring.svc:9090"
SCALER = "scaler.add-on:9090"
POLICY = scaled_objects(PROMETHEUS)
WITH_SCALER = scaled_objects(PROMETHEUS, SCALER)
MESSAGES = {
    "triggers": "A trigger of a ScaledObject has the type cpu, memory or cron, or prometheus with "
    f"the serverAddress {PROMETHEUS} and no fields of metadata but serverAddress, query, "
    "threshold, activationThreshold, ignoreNullValues, namespace.",
    "authentication": "A trigger of a ScaledObject has no authenticationRef: KEDA reads no secrets "
    "of teams, and asks nobody by its own identity.",
    "modifiers": "A ScaledObject has no advanced.scalingModifiers: KEDA would evaluate its formula "
    "for all teams; compute in the query.",
    "load": "A ScaledObject has a pollingInterval of at least 5 seconds and at most 10 triggers: "
    "Prometheus answers all teams.",
}


def _scaled(spec: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "ScaledObject", "metadata": {"namespace": "serving"}, "spec": spec}


@each_row("refused")
def test_keda_asks_nobody_but_the_prometheus_of_the_platform(
    spec: dict[str, Any], before: dict[str, Any] | None, refused: list[str]
) -> None:
    earlier = None if before is None else _scaled(before)
    assert refusals(POLICY, _scaled(spec), earlier) == [MESSAGES[each] for each in refused]


@each_row("pushed")
def test_with_the_http_add_on_keda_asks_its_scaler_of_routes_of_the_namespace_too(
    metadata: dict[str, str], is_taken: bool
) -> None:
    scaled = _scaled({"triggers": [{"type": "external-push", "metadata": metadata}]})
    told = (
        f"{MESSAGES['triggers'].removesuffix('.')}, or external-push with the scalerAddress "
        f"{SCALER}, an interceptorRoute and no other fields of metadata."
    )
    assert refusals(WITH_SCALER, scaled) == ([] if is_taken else [told])
    assert refusals(POLICY, scaled) == [MESSAGES["triggers"]]


def test_without_an_address_of_prometheus_keda_asks_nobody() -> None:
    asked = {"type": "prometheus", "metadata": {"serverAddress": PROMETHEUS, "query": "up"}}
    policy = scaled_objects(None)
    assert refusals(policy, _scaled({"triggers": [{"type": "cpu", "metadata": {}}]})) == []
    why = ["A trigger of a ScaledObject has the type cpu, memory or cron."]
    assert refusals(policy, _scaled({"triggers": [asked]})) == why


def test_it_is_about_scaled_objects_in_the_namespaces_of_teams() -> None:
    constraints = about(OF_TEAMS, ["keda.sh"], ["*"], ["scaledobjects"])
    assert POLICY.spec()["matchConstraints"] == constraints
    assert POLICY.binding_spec()["matchResources"] == {"namespaceSelector": OF_TEAMS}
