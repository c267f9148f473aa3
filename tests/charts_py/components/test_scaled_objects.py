"""Which ScaledObjects of teams the API server takes, by a real evaluator of CEL."""

from typing import Any

from charts_py.components.scaled_objects import scaled_objects
from tests.charts_py.components.evaluated import OF_TEAMS, about
from tests.charts_py.components.kueue.refusals import refusals
from tests.rows import rows_beside

each_row = rows_beside(__file__, "scaled_objects.yaml")
PROMETHEUS = "http://p.monitoring.svc:9090"
POLICY = scaled_objects(PROMETHEUS)
MESSAGES = {
    "triggers": "A trigger of a ScaledObject has the type cpu, memory or cron, or prometheus with "
    f"the serverAddress {PROMETHEUS} and no fields of metadata but serverAddress, query, "
    "threshold, activationThreshold, ignoreNullValues, namespace.",
    "authentication": "A trigger of a ScaledObject has no authenticationRef: KEDA reads no secrets "
    "of teams, and asks nobody by its own identity.",
    "modifiers": "A ScaledObject has no advanced.scalingModifiers: KEDA would evaluate its formula "
    "for all teams; compute in the query.",
}


def _scaled(spec: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "ScaledObject", "metadata": {"namespace": "serving"}, "spec": spec}


@each_row("refused")
def test_keda_asks_nobody_but_the_prometheus_of_the_platform(
    spec: dict[str, Any], before: dict[str, Any] | None, refused: list[str]
) -> None:
    earlier = None if before is None else _scaled(before)
    assert refusals(POLICY, _scaled(spec), earlier) == [MESSAGES[each] for each in refused]


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
