import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from charts_py.components.gpu_metrics import (
    counters_file,
    measures_amd_gpus,
    replaces_exporters_counters,
)
from charts_py.metrics.series import known_series
from charts_py.platform.metrics_collection import RecordingRule, Rule
from charts_py.platform.platform import Platform
from tests.charts_py.metrics.promql import read_metrics
from tests.e2e.monitoring.rule_files import MONITORED, monitored_platform
from webhook.metrics import Metrics

_OF_PROMETHEUS = {"up", "ALERTS"}
"""What Prometheus itself makes (https://prometheus.io/docs/concepts/jobs_instances/ and
https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/)."""

_SUFFIXES = ("", "_total", "_bucket", "_sum", "_count")
"""Of the series of counters and histograms."""


@pytest.fixture(scope="module")
def watched(platforms: Mapping[str, Platform]) -> Mapping[str, Platform]:
    """Return every cluster there is for tests, by name."""
    return {**platforms, **{name: monitored_platform(name) for name in MONITORED}}


def test_every_metric_that_a_rule_reads_is_emitted_by_something(
    watched: Mapping[str, Platform], mirror: Path
) -> None:
    always = _OF_PROMETHEUS | set(_of_the_webhook()) | set(_of_other_exporters(mirror))
    for name, platform in watched.items():
        measured = {*_of_nvidia_gpus(platform, mirror), *_of_amd_gpus(platform, mirror)}
        there = always | measured | set(_recorded(platform))
        unread = {
            f"{_name(rule)} reads {metric}"
            for rule in _rules(platform)
            for metric in read_metrics(rule.expression) - there
        }
        assert (name, unread) == (name, set())


def test_every_series_is_recorded_by_one_group_alone(watched: Mapping[str, Platform]) -> None:
    for name, platform in watched.items():
        groups = [
            (rule.record, group.name)
            for group in platform.watched.rules
            for rule in group.rules
            if isinstance(rule, RecordingRule)
        ]
        assert (name, len({record for record, _ in groups})) == (name, len(set(groups)))


def _rules(platform: Platform) -> Iterator[Rule]:
    yield from (rule for group in platform.watched.rules for rule in group.rules)


def _name(rule: Rule) -> str:
    return rule.record if isinstance(rule, RecordingRule) else rule.name


def _recorded(platform: Platform) -> Iterator[str]:
    """Yield what rules record; where facts are, those of teams and of minima may be none."""
    recorded = {rule.record for rule in _rules(platform) if isinstance(rule, RecordingRule)}
    yield from recorded
    if "gpuplane_pool_info" in recorded:
        yield from ("gpuplane_namespace_info", "gpuplane_namespace_quota")
        yield "gpuplane_pool_least_nodes"


def _of_nvidia_gpus(platform: Platform, mirror: Path) -> Iterator[str]:
    """Yield what the file lists from which the exporter of a platform collects."""
    if replaces_exporters_counters(platform):
        lines = counters_file(platform.cluster.addons.monitoring.gpu_counters)
    else:
        lines = (mirror / "data" / "dcgm-exporter-default-counters.csv").read_text("utf-8")
    rows = csv.reader(lines.splitlines())
    yield from (row[0] for row in rows if row and not row[0].startswith("#"))


def _of_amd_gpus(platform: Platform, mirror: Path) -> Iterator[str]:
    """Yield what AMD's exporter lists, where there are such GPUs and Prometheus scrapes it."""
    if measures_amd_gpus(platform):
        file = mirror / "data" / "metrics" / "amd-device-metrics-exporter.csv"
        rows = csv.DictReader(file.read_text("utf-8").splitlines())
        yield from (row["name"].lower() for row in rows)


def _of_the_webhook() -> Iterator[str]:
    for family in Metrics().registry.collect():
        yield from (f"{family.name}{suffix}" for suffix in _SUFFIXES)


def _of_other_exporters(mirror: Path) -> Iterator[str]:
    """Yield what kube-state-metrics lists, and what is there wherever its component is."""
    listed = (mirror / "data" / "metrics" / "kube-state-metrics.csv").read_text("utf-8")
    yield from (row["name"] for row in csv.DictReader(listed.splitlines()))
    series = known_series()
    yield from (each.name for each in (*series.cadvisor, *series.kueue, *series.operators))
