"""Which groups of rules there are on a platform."""

import pytest

from charts_py.components.gpu_usage.definition import usage_alerts, usage_groups
from charts_py.metrics.series import known_series
from charts_py.platform.metrics_collection import RecordingRule
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import Load, PlatformWith

FACTS, ALLOCATION = "gpuplane-facts", "gpuplane-allocation"
USE, COST, BUDGET = "gpuplane-use", "gpuplane-cost", "gpuplane-budget"
IDLE, LOW_USE, OVER_BUDGET = (alert.name for alert in usage_alerts())
WITH_BUDGET = ('costCenter: "4711"', 'costCenter: "4711"\n    budget: 5000')


def recorded_by(platform: Platform) -> dict[str, list[RecordingRule]]:
    return {
        group.name: [rule for rule in group.rules if isinstance(rule, RecordingRule)]
        for group in usage_groups(platform)
    }


def with_counters(counters: str) -> tuple[str, str]:
    return ("pools:\n", f"addons:\n  monitoring: {{gpuCounters: {counters}}}\npools:\n")


@pytest.mark.parametrize(
    ("sample_name", "counters", "groups"),
    [
        ("eks", "exporter", [FACTS, ALLOCATION, COST]),
        ("eks", "health", [FACTS, ALLOCATION, USE, COST]),
        ("amd", "exporter", [FACTS, ALLOCATION, USE]),
    ],
)
def test_use_needs_rows_that_name_their_node_and_cost_a_price(
    sample_name: str, counters: str, groups: list[str], platform_after: PlatformWith
) -> None:
    platform = platform_after(sample_name, with_counters(counters))
    assert [group.name for group in usage_groups(platform)] == groups


@pytest.mark.parametrize(
    ("currency", "groups"),
    [("USD", [FACTS, ALLOCATION, COST, BUDGET]), ("EUR", [FACTS, ALLOCATION])],
)
def test_a_budget_is_held_against_what_has_a_price(
    currency: str, groups: list[str], platform_after: PlatformWith
) -> None:
    stated = ("policies:\n", f"cost: {{currency: {currency}}}\npolicies:\n")
    platform = platform_after("eks", with_counters("exporter"), WITH_BUDGET, stated)
    assert [group.name for group in usage_groups(platform)] == groups


def test_a_team_without_a_budget_has_no_series_of_one(platform_after: PlatformWith) -> None:
    rules = recorded_by(platform_after("eks", WITH_BUDGET))[FACTS]
    budgets = [rule for rule in rules if rule.record == "gpuplane_team_budget"]
    labels = {"team": "research", "currency": "USD"}
    assert budgets == [RecordingRule("gpuplane_team_budget", "vector(5000.0)", labels)]


def test_every_series_is_recorded_where_all_is_measured(platform_after: PlatformWith) -> None:
    groups = recorded_by(platform_after("eks", with_counters("profiling"), WITH_BUDGET))
    names = {rule.record for rules in groups.values() for rule in rules}
    assert names == {series.name for series in known_series().recorded}


def test_without_profiling_no_rule_reads_multiprocessors(platform_after: PlatformWith) -> None:
    rules = recorded_by(platform_after("eks", with_counters("health")))[USE]
    assert [rule.record for rule in rules if "SM_ACTIVE" in rule.expression] == []


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_an_example_cluster_has_dozens_of_constants_and_not_hundreds(
    cluster: str, example: Load
) -> None:
    rules = recorded_by(example(cluster))[FACTS]
    constants = [rule for rule in rules if rule.expression.startswith("vector(")]
    assert 30 < len(constants) < 90


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("training", set()),
        ("amd", {LOW_USE}),
        # Nothing of it is measured.
        ("described", {IDLE, LOW_USE}),
    ],
)
def test_they_are_there_where_use_is_measured_and_pods_wait_only_where_quotas_name_pools(
    example: Load, platform_after: PlatformWith, name: str, missing: set[str]
) -> None:
    platform = example(name) if name == "training" else platform_after(name)
    there = {alert.name for group in usage_groups(platform) for alert in group.alerts}
    assert {IDLE, LOW_USE} - there == missing
