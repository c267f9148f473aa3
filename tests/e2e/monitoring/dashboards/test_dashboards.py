"""Prometheus answers every query of every dashboard."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from charts_py.components.dashboards.definition import dashboards_of
from charts_py.platform.platform import Platform
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.monitoring.dashboards.cluster_series import cluster_series
from tests.e2e.monitoring.dashboards.shown import Shown, chosen_values, shown
from tests.e2e.monitoring.promtool import Promtool, PromtoolError, write_platform_tests
from tests.e2e.monitoring.rule_files import MONITORED, monitored_platform

_HOURS = 3


def _written(queries: Iterable[Shown], platform: Platform, folder: Path) -> Path:
    """Write a file of tests in which each query has to yield something after some hours."""
    minutes = 60 * _HOURS
    series = cluster_series(platform, minutes)
    test = {
        "interval": "1m",
        "input_series": [{"series": s, "values": v} for s, v in series.items()],
        "promql_expr_test": [
            {
                "expr": f"count({each.expression}) > bool 0",
                "eval_time": f"{minutes}m",
                "exp_samples": [{"labels": "{}", "value": 1}],
            }
            for each in queries
        ],
    }
    return write_platform_tests([test], platform, folder)


@pytest.mark.parametrize("name", MONITORED)
def test_prometheus_answers_every_query_of_every_dashboard(
    name: str, promtool: Promtool, tmp_path: Path, evidence: Evidence
) -> None:
    platform = monitored_platform(name)
    chosen = chosen_values(platform, _HOURS)
    queries = {each.name: list(shown(each, chosen)) for each in dashboards_of(platform)}
    every = (query for of_dashboard in queries.values() for query in of_dashboard)
    promtool.test_rules(_written(every, platform, tmp_path))
    evidence.show(
        "Prometheus answers every query of every dashboard, and of their variables, from what rules"
        f" record and exporters serve of the cluster `{name}`.",
        ", ".join(f"{dashboard} {len(found)}" for dashboard, found in queries.items()),
    )


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("pool:gpuplane_lent_gpus:sum", "pool:gpuplane_lent_gpus:sum"),
        ("sum by (pool", "sum by [(]pool"),
    ],
)
def test_a_query_that_yields_nothing_is_named(
    expression: str, complaint: str, promtool: Promtool, tmp_path: Path
) -> None:
    platform = monitored_platform(MONITORED[0])
    with pytest.raises(PromtoolError, match=complaint):
        promtool.test_rules(_written([Shown("nowhere", expression)], platform, tmp_path))
