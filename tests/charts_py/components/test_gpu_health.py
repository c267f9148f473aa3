"""The rule by which nodes with broken GPUs are set aside."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.components.gpu_health import GPU_HEALTH, quarantine_rules, set_aside_limit
from charts_py.components.node_problem_detector.monitors import xid_monitors
from charts_py.platform.platform import Platform
from gpus.taint import Taint
from gpus.xid import load_xids
from tests.charts_py.components.evaluated import evaluated
from tests.charts_py.fixture_types import Load, PlatformWith

FAULT = (
    "max by (node, condition) (kube_node_status_condition{"
    'condition=~"gpuplane.io/GpuHardwareFault|gpuplane.io/GpuDriverFault", status="true"}) == 1'
)
SET_ASIDE = 'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-unhealthy"}) == 1'
Health = Callable[[str, str], Platform]


@pytest.fixture
def health(platform_after: PlatformWith) -> Health:
    """Return the function that loads a sample with an action."""

    def load(name: str, action: str) -> Platform:
        addons = f"addons: {{gpuHealth: {{action: {action}}}}}\npools:"
        return platform_after(name, ("pools:", addons))

    return load


def test_who_observes_has_an_alert_and_no_taint(health: Health) -> None:
    platform = health("gke", "observe")
    assert list(GPU_HEALTH.plan(platform)) == []
    assert platform.contribution.health_taints == ()
    assert [group.name for group in GPU_HEALTH.rules.groups(platform)] == ["gpu-health"]


@pytest.mark.parametrize(
    ("action", "effect"), [("quarantine", "NoSchedule"), ("evict", "NoExecute")]
)
def test_daemons_stay_on_a_node_that_is_set_aside_and_pods_of_teams_do_not(
    health: Health, action: str, effect: str
) -> None:
    platform = health("gke", action)
    (taint,) = platform.contribution.health_taints
    assert taint == Taint("readiness.k8s.io/gpu-unhealthy", "true", effect)
    assert taint in platform.daemon_taints(platform.pools)
    assert taint not in {taint for pool in platform.pools for taint in pool.facts.taints}


def test_either_condition_of_a_node_is_heard_of_or_else_its_taint(example: Load) -> None:
    (group,) = GPU_HEALTH.rules.groups(example("training"))
    fault, set_aside, *_ = (alert.expression for alert in group.alerts)
    assert (fault, set_aside) == (FAULT, f"{SET_ASIDE} unless on (node) {FAULT}")
    assert group.reads_other_namespaces


ROWS = yaml.safe_load((Path(__file__).parent / "xid_rows.yaml").read_text("utf-8"))
RULES = [rule for each in xid_monitors() for rule in json.loads(each.content)["rules"]]


def leads_to(code: int, conditions: set[str]) -> str | None:
    """Return what follows from an error of a program whose name says everything else."""
    line = f"NVRM: Xid (PCI:0000:01:00): {code}, pid=1, name=off the bus: 79, x Fatal y"
    found = [each for each in RULES if re.search(rf"{each['pattern']}\Z", line)]
    if not found:
        return None
    (rule,) = found
    return "eviction" if rule.get("condition") in conditions else "event"


def test_errors_that_programs_cause_set_no_node_aside(health: Health) -> None:
    rule = next(quarantine_rules(health("gke", "evict")))
    conditions = {each["type"] for each in rule["spec"]["conditions"]}
    classes = {xid.code: xid.xid_class.value for xid in load_xids()}
    told = {code: leads_to(code, conditions) for code in range(256)}
    assert {code: [classes[code], so] for code, so in told.items() if so} == ROWS
    by_programs = [classes[code] for code, so in told.items() if so == "eviction"]
    assert set(by_programs) == {"hardware", "driver"}


NOW, THIS_MORNING = "2026-11-29T18:00:00Z", "2026-11-29T06:00:00Z"
YESTERDAY = "2026-11-28T17:59:59Z"


def refusal(platform: Platform, pool: str, evaluations: Mapping[str, tuple[str, str]]) -> str:
    """Return why no further node of the pool goes, after those that its rule lists; else nothing.

    They have the status of their taint, and when that was last looked at.
    """
    policy, _ = set_aside_limit(platform)
    rules = {
        rule["spec"]["nodeSelector"]["matchLabels"]["gpuplane.io/pool"]: rule
        for rule in quarantine_rules(platform)
    }
    listed = [
        {"nodeName": name, "taintStatus": status, "lastEvaluationTime": time}
        for name, (status, time) in evaluations.items()
    ]
    heartbeats = [
        {"lastHeartbeatTime": None},
        {"lastHeartbeatTime": THIS_MORNING},
        {"lastHeartbeatTime": NOW},
        {},
    ]
    data: dict[str, Any] = {
        "object": {
            "metadata": {"name": "mine", "labels": {"gpuplane.io/pool": pool}},
            "status": {"conditions": heartbeats},
        },
        "params": {**rules[pool], **({"status": {"nodeEvaluations": listed}} if listed else {})},
    }
    variables = {
        each["name"]: evaluated(each["expression"], data) for each in policy["spec"]["variables"]
    }
    (validation,) = policy["spec"]["validations"]
    told = {**data, "variables": variables}
    taken = evaluated(validation["expression"], told)
    return "" if taken is True else str(evaluated(validation["messageExpression"], told))


@pytest.mark.parametrize(
    ("evaluations", "refused"),
    [
        ({}, ""),
        ({"a": ("Absent", NOW), "b": ("Absent", NOW)}, ""),
        ({"a": ("Present", THIS_MORNING)}, "1"),
        ({"a": ("Present", YESTERDAY)}, ""),
        # A node that has had it is not one more.
        ({"mine": ("Present", NOW)}, ""),
    ],
)
def test_of_a_pool_of_four_nodes_one_is_set_aside_within_a_day(
    health: Health, evaluations: Mapping[str, tuple[str, str]], refused: str
) -> None:
    told = (
        "as many nodes of pool h100 as addons.gpuHealth.maxPercent allows were set aside within a "
        f"day: {refused}."
    )
    assert refusal(health("eks", "evict"), "h100", evaluations) == (told if refused else "")
