"""All that is recorded and alerted on by what DCGM measures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_metrics.alerts.rule_group import gpu_alerts, gpu_rules
from charts_py.components.gpu_metrics.alerts.use import LOW_USE
from charts_py.components.gpu_metrics.thresholds import THRESHOLD
from charts_py.metrics.dcgm import HEALTH_COUNTERS
from charts_py.metrics.dcgm_counter import Scope
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.alert import Alert
    from charts_py.platform.platform import Platform

each_alert = pytest.mark.parametrize("alert", gpu_alerts(), ids=lambda each: each.name)


@each_alert
def test_it_reads_no_counter_that_is_collected_for_profiling_alone(alert: Alert) -> None:
    read = set(re.findall(r"DCGM_\w+", alert.expression))
    assert read - {counter.name for counter in HEALTH_COUNTERS} == set()


@each_alert
def test_what_is_of_a_whole_gpu_is_read_once_for_each(alert: Alert) -> None:
    of_gpus = {counter.name for counter in HEALTH_COUNTERS if counter.scope is Scope.GPU}
    once = r"(?:max|min) by \((?:node, UUID[^)]*|node)\) \("
    seen = re.findall(rf"{once}\S*?(DCGM_\w+)", re.sub(r"label_replace\(", "", alert.expression))
    assert set(re.findall(r"DCGM_\w+", alert.expression)) & of_gpus <= set(seen)


def test_thresholds_are_recorded_for_each_pool_before_alerts_read_them(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    changed = ("purpose: notebooks\n", "purpose: notebooks\n    alerts: {idleMinutes: 240}\n")
    (group,) = gpu_rules(platform_of(sample("gke", changed)))
    *thresholds, _ = (rule for rule in group.rules if isinstance(rule, RecordingRule))
    assert [(rule.record, rule.expression, dict(rule.labels)) for rule in thresholds[-2:]] == [
        (THRESHOLD.name, "vector(5)", {"pool": "l4", "threshold": "temperatureMargin"}),
        (THRESHOLD.name, "vector(240)", {"pool": "l4", "threshold": "idleMinutes"}),
    ]
    assert group.rules[: len(thresholds)] == tuple(thresholds)


@pytest.mark.parametrize(("cluster", "missing"), [("training", set()), ("gke-networks", {LOW_USE})])
def test_pods_wait_for_a_pool_only_where_quotas_name_it(
    example: Callable[[str], Platform],
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    cluster: str,
    missing: set[Alert],
) -> None:
    platform = example(cluster) if cluster == "training" else platform_of(sample(cluster))
    (group,) = gpu_rules(platform)
    assert {*gpu_alerts()} - {*group.alerts} == missing
