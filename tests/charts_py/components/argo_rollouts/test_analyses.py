"""Which analyses of teams the API server takes, by a real evaluator of CEL."""

from typing import Any

from charts_py.components.argo_rollouts.analyses import ROLLOUTS, analysis_templates
from tests.charts_py.components.evaluated import OF_TEAMS, about
from tests.charts_py.components.kueue.refusals import refusals
from tests.rows import rows_beside

each_row = rows_beside(__file__, "analyses.yaml")
PROMETHEUS = "http://p.monitoring.svc:9090"
POLICY = analysis_templates(PROMETHEUS)
MESSAGES = {
    "provider": "A metric of an AnalysisTemplate has the provider prometheus alone, with the "
    f"address {PROMETHEUS} and no fields but address, query, timeout.",
    "conditions": "A successCondition or failureCondition of an AnalysisTemplate has at most 200 "
    "characters, and compares numbers by result, len, isNaN, isInf, asInt, asFloat, default, and, "
    "or, not, in, true, false, nil and operators, such as `result[0] <= 0.05`; it has no ranges, "
    "closures, texts or arguments.",
    "metrics": "An AnalysisTemplate has at most 5 metrics, and no templates; a Rollout may name "
    "several AnalysisTemplates.",
    "experiments": "Experiments are not allowed, nor steps of a Rollout that make them: they start "
    "any number of analyses at once; use a step with an analysis.",
    "templates": "An analysis of a Rollout names at most 5 templates.",
}
SPIN = {"successCondition": "all(1..900000, true)"}


def made(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": "chat", "namespace": "serving"}, "spec": spec}


def template(*metrics: dict[str, Any]) -> dict[str, Any]:
    return made("AnalysisTemplate", {"metrics": list(metrics)})


@each_row("measured")
def test_an_analysis_asks_the_prometheus_of_the_platform_and_compares_numbers(
    metrics: list[dict[str, Any]], refused: list[str]
) -> None:
    assert refusals(POLICY, template(*metrics)) == [MESSAGES[each] for each in refused]


def test_a_condition_is_short() -> None:
    asked = {"prometheus": {"address": PROMETHEUS, "query": "up"}}
    conditions = [f"result[0] > {'1' * digits}" for digits in (188, 189)]
    sent = [template({"provider": asked, "failureCondition": each}) for each in conditions]
    assert [refusals(POLICY, each) for each in sent] == [[], [MESSAGES["conditions"]]]


def test_templates_of_templates_are_refused() -> None:
    sent = made("AnalysisTemplate", {"templates": [{"templateName": "other"}]})
    assert refusals(POLICY, sent) == [MESSAGES["metrics"]]


def test_one_of_before_the_policy_stays_as_it_is() -> None:
    assert refusals(POLICY, template(SPIN), template(SPIN)) == []


def test_without_an_address_of_prometheus_nobody_is_asked() -> None:
    sent = template({"provider": {"prometheus": {"address": PROMETHEUS, "query": "up"}}})
    why = "An AnalysisTemplate has no metrics here: the platform names no Prometheus, by "
    why += "addons.monitoring.prometheusUrl, and nobody else is asked."
    assert refusals(analysis_templates(None), sent) == [why]


@each_row("rolled_out")
def test_a_rollout_starts_few_analyses(strategy: dict[str, Any], refused: list[str]) -> None:
    sent = made("Rollout", {"strategy": strategy})
    assert refusals(ROLLOUTS, sent) == [MESSAGES[each] for each in refused]


def test_experiments_are_refused() -> None:
    sent = made("Experiment", {"analyses": [{"name": "spin", "templateName": "spin"}]})
    assert refusals(ROLLOUTS, sent) == [MESSAGES["experiments"]]
    assert refusals(ROLLOUTS, sent, sent) == []


def test_they_are_about_what_teams_write_in_their_namespaces() -> None:
    group = ["argoproj.io"]
    for policy, resources in (
        (POLICY, ["analysistemplates"]),
        (ROLLOUTS, ["experiments", "rollouts"]),
    ):
        constraints = about(OF_TEAMS, group, ["*"], resources)
        assert policy.spec()["matchConstraints"] == constraints
        assert policy.binding_spec()["matchResources"] == {"namespaceSelector": OF_TEAMS}
