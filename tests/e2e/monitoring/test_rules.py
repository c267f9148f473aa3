"""Prometheus takes the rules of every cluster."""

from pathlib import Path

import pytest

from charts_py.platform.platform import Platform
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.monitoring.promtool import Promtool, PromtoolError
from tests.e2e.monitoring.rule_files import (
    MONITORED,
    monitored_platform,
    rule_objects,
    write_rule_files,
)


def test_prometheus_takes_the_rules_of_the_example_clusters(
    platforms: dict[str, Platform], promtool: Promtool, tmp_path: Path, evidence: Evidence
) -> None:
    counts = []
    for name, platform in platforms.items():
        folder = tmp_path / name
        folder.mkdir()
        files = write_rule_files(rule_objects(platform), folder)
        promtool.check_rules(files)
        counts.append(f"{name} {len(files)}")
    evidence.show(
        "promtool finds no fault in the rules that the example clusters emit, and none twice.",
        f"PrometheusRules, or Rules of Google's managed collection: {', '.join(counts)}",
    )


@pytest.mark.parametrize("name", MONITORED)
def test_prometheus_takes_the_rules_of_clusters_that_have_all_on(
    name: str, promtool: Promtool, tmp_path: Path
) -> None:
    promtool.check_rules(write_rule_files(rule_objects(monitored_platform(name)), tmp_path))


def test_a_rule_that_prometheus_would_not_take_is_named(promtool: Promtool, tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text("groups: [{name: broken, rules: [{alert: Broken, expr: 'sum(up'}]}]\n")
    with pytest.raises(PromtoolError, match="Broken"):
        promtool.check_rules([file])
