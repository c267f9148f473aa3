"""The ConfigMaps from which Grafana's sidecar takes dashboards."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from charts_py.components.dashboards.definition import (
    DASHBOARDS as DEFINITION,
    all_dashboards,
    dashboard_config_maps,
    dashboards_of,
    emitted_metrics,
)
from charts_py.components.kueue.definition import KUEUE
from charts_py.components.webhook.definition import WEBHOOK as OWN_WEBHOOK
from charts_py.grafana.dashboard import Dashboard, Kind, Panel, Query
from charts_py.grafana.dashboard_json import dashboard_text
from charts_py.metrics.series import Scope, known_series
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import MAX_DATA_BYTES
from tests.charts_py.fixture_types import PlatformWith
from tests.charts_py.grafana.published_schema import unread
from tests.charts_py.metrics.promql import read_metrics
from tests.e2e.monitoring.rule_files import MONITORED, monitored_platform

DASHBOARDS = all_dashboards()
EVERY = tuple(dashboard.name for dashboard in DASHBOARDS)
OF_PROMETHEUS = {"ALERTS"}
"""https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/"""

each_dashboard = pytest.mark.parametrize("dashboard", DASHBOARDS, ids=EVERY)


def _panels(dashboard: Dashboard) -> Iterator[Panel]:
    yield from (panel for row in dashboard.rows for panel in row.panels)


def _queries(dashboard: Dashboard) -> Iterator[Query]:
    yield from (query for panel in _panels(dashboard) for query in panel.queries)


def _content(dashboard: Dashboard) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(dashboard_text(dashboard))
    return content


def test_a_cluster_gets_each_dashboard_as_a_config_map_where_and_as_it_asks(
    platform_after: PlatformWith,
) -> None:
    asked = "{dashboards: {namespace: grafana, labels: {board: gpu}, folder: GPUs}}"
    platform = platform_after("karpenter", ("{dashboards: {}, gpuCounters: health}", asked))
    first = next(dashboard_config_maps(platform))
    assert first["metadata"] == {
        "name": "gpuplane-fleet",
        "namespace": "grafana",
        "labels": {"app.kubernetes.io/managed-by": "gpuplane", "board": "gpu"},
        "annotations": {"grafana_folder": "GPUs"},
    }
    assert list(first["data"]) == ["gpuplane-fleet.json"]


def test_by_default_the_sidecar_of_the_operators_chart_finds_them(
    platforms: Mapping[str, Platform],
) -> None:
    platform = platforms["sample-karpenter"]
    metadata = [each["metadata"] for each in dashboard_config_maps(platform)]
    labels = {"app.kubernetes.io/managed-by": "gpuplane", "grafana_dashboard": "1"}
    assert metadata == [
        {"name": each.uid, "namespace": "monitoring", "labels": labels}
        for each in dashboards_of(platform)
    ]


def test_a_cluster_that_asks_for_none_gets_none(platforms: Mapping[str, Platform]) -> None:
    platform = platforms["sample-eks"]
    assert list(dashboard_config_maps(platform)) == []
    assert not DEFINITION.is_wanted(platform)


@pytest.mark.parametrize("name", ["karpenter", "onprem"])
def test_a_cluster_that_has_everything_is_shown_everything(name: str) -> None:
    platform = monitored_platform(name)
    assert [d.name for d in dashboards_of(platform)] == list(EVERY)
    priced = [panel.title for d in DASHBOARDS for panel in _panels(d)]
    shown = [panel.title for d in dashboards_of(platform) for panel in _panels(d)]
    missing = Counter(priced) - Counter(shown)
    expected = {"karpenter": {"Budget"}, "onprem": set()}  # no team has one there
    assert set(missing) == expected[name]


def test_a_cluster_is_shown_nothing_that_it_does_not_measure(
    platforms: Mapping[str, Platform],
) -> None:
    emitted = {
        name: {metric.name for d in dashboards_of(p) for q in _queries(d) for metric in q.reads}
        for name, p in platforms.items()
    }
    profiled = {counter.name for counter in known_series().dcgm if counter.is_for_profiling}
    assert not emitted["sample-karpenter"] & profiled
    assert not [name for name in emitted["sample-eks"] if name.startswith("DCGM_")]
    assert "team:gpuplane_sm_active:avg" not in emitted["sample-karpenter"]


def test_the_dashboard_of_the_webhook_is_there_where_the_webhook_is(
    platforms: Mapping[str, Platform],
) -> None:
    shown = {name for name, p in platforms.items() if _whole("webhook") in dashboards_of(p)}
    collected = {name: p for name, p in platforms.items() if p.monitoring.prometheus}
    assert shown == {name for name, p in collected.items() if OWN_WEBHOOK.is_wanted(p)}
    assert 0 < len(shown) < len(platforms)


def _whole(name: str) -> Dashboard:
    (found,) = (each for each in DASHBOARDS if each.name == name)
    return found


def test_the_dashboard_of_queues_is_there_where_kueue_is_scraped(
    platforms: Mapping[str, Platform],
) -> None:
    shown = {name for name, p in platforms.items() if _whole("queues") in dashboards_of(p)}
    scraped = {name: p for name, p in platforms.items() if p.monitoring.has_operator}
    assert shown == {name for name, p in scraped.items() if KUEUE.is_wanted(p)}
    assert 0 < len(shown) < len(platforms)


@each_dashboard
def test_a_query_says_which_metrics_it_reads(dashboard: Dashboard) -> None:
    for query in _queries(dashboard):
        named = {metric.name for metric in query.reads}
        assert read_metrics(query.expression) - OF_PROMETHEUS == named, query.expression


@each_dashboard
def test_what_is_measured_twice_counts_once(dashboard: Dashboard) -> None:
    """Each pod that shares a GPU has a copy of its row, as each MIG instance has of the whole's."""
    told_apart = {each.name: {"node", "gpu_id"} for each in known_series().amd} | {
        each.name: {"node", "gpu"} | ({"GPU_I_ID"} if each.scope is Scope.INSTANCE else set())
        for each in known_series().dcgm
    }
    for query in _queries(dashboard):
        for name in {metric.name for metric in query.reads} & told_apart.keys():
            once = re.findall(rf"max by \(([^)]*)\) \([^()]*\b{name}\b", query.expression)
            labels = [set(each.replace("UUID", "gpu").split(", ")) for each in once]
            assert len(labels) == len(re.findall(rf"\b{name}\b", query.expression))
            assert [each for each in labels if not told_apart[name] <= each] == []


OWN = (
    'kueue_cluster_queue_nominal_quota{replica_role!="follower",'
    ' resource!~"pods|gpuplane.io/nvlink-channel", flavor!="placed-workers.gpuplane.io"}'
)
PREEMPTED = 'kueue_preempted_workloads_total{replica_role!="follower"}'


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        ("fleet", "sum (pool:gpuplane_used_gpus:sum)"),
        ("fleet", "sum by (team) (team:gpuplane_used_gpus:sum)"),
        (
            "fleet",
            (
                "sum (pool:gpuplane_used_gpus:sum) / sum"
                " (pool:gpuplane_capacity_gpus:sum and on (pool) pool:gpuplane_used_gpus:sum)"
            ),
        ),
        (
            "fleet",
            "sum by (team) (sum_over_time(team:gpuplane_gpu_seconds:sum1h[$__range:1h])) / 3600",
        ),
        ("node", 'max by (node, gpu) (DCGM_FI_DEV_POWER_USAGE{node=~"$node"})'),
        ("node", 'max by (node, gpu, GPU_I_ID) (DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{node=~"$node"})'),
        ("node", 'max by (node, gpu_id) (gpu_power_usage{node=~"$node"})'),
        ("node", 'max by (node, gpu, xid) (DCGM_EXP_XID_ERRORS_COUNT{node=~"$node"})'),
        # The row of a GPU's next pod has not grown when it appears.
        (
            "node",
            (
                'rate((max by (node, gpu) (DCGM_FI_DEV_PCIE_REPLAY_COUNTER{node=~"$node"}))'
                "[$__rate_interval:15s])"
            ),
        ),
        (
            "pool",
            (
                "sum by (node) ((max by (node, gpu) (DCGM_FI_DEV_POWER_USAGE))"
                ' * on (node) group_left (pool) node:gpuplane_pool:info{pool=~"$pool"})'
            ),
        ),
        ("webhook", "sum by (rule) (rate(gpuplane_webhook_fixes_total[$__rate_interval]))"),
        # A queue is shown as the namespace of a team, and a flavor as a pool.
        (
            "queues",
            (
                "sum by (team, namespace, pool, resource)"
                f' (label_join(label_join({OWN}, "pool", "", "flavor"),'
                ' "namespace", "", "cluster_queue")'
                ' * on (namespace) group_left (team) namespace:gpuplane_team:info{team=~"$team"})'
            ),
        ),
        # What is lent in a pool is counted over all teams.
        ("queues", f'sum by (pool, resource) (label_join({OWN}, "pool", "", "flavor"))'),
        # The first event counts, which makes the series.
        (
            "queues",
            (
                "sum by (team, namespace, reason) (label_join(label_join("
                f"(({PREEMPTED} unless last_over_time({PREEMPTED}[1h] offset $__range))"
                f' or round(increase({PREEMPTED}[$__range]))) > 0, "pool", "", "flavor"),'
                ' "namespace", "", "preempting_cluster_queue")'
                ' * on (namespace) group_left (team) namespace:gpuplane_team:info{team=~"$team"})'
            ),
        ),
    ],
)
def test_a_dashboard_asks_for_what_it_shows(name: str, expression: str) -> None:
    assert expression in {query.expression for query in _queries(_whole(name))}


@each_dashboard
def test_grafana_reads_every_field(dashboard: Dashboard) -> None:
    assert unread(dashboard_text(dashboard)) == []


@each_dashboard
def test_no_two_panels_cover_the_same_place_or_leave_the_grid(dashboard: Dashboard) -> None:
    places = [each["gridPos"] for each in _content(dashboard)["panels"]]
    assert [p for p in places if p["x"] + p["w"] > 24] == []
    assert [pair for pair in combinations(places, 2) if _overlap(*pair)] == []


def _overlap(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    across = one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
    return across and one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"]


@each_dashboard
def test_every_panel_has_its_number_and_its_queries_their_letters(dashboard: Dashboard) -> None:
    panels = _content(dashboard)["panels"]
    assert [each["id"] for each in panels] == list(range(1, len(panels) + 1))
    for panel, written in zip(
        _panels(dashboard), (p for p in panels if p["type"] != "row"), strict=True
    ):
        assert len({target["refId"] for target in written["targets"]}) == len(panel.queries)


@each_dashboard
def test_every_panel_says_what_it_shows(dashboard: Dashboard) -> None:
    assert [panel.title for panel in _panels(dashboard) if not panel.description] == []


@each_dashboard
def test_a_column_has_a_heading_of_its_own(dashboard: Dashboard) -> None:
    for panel in _panels(dashboard):
        legends = [query.legend for query in panel.queries]
        assert panel.kind is not Kind.TABLE or sorted(set(legends)) == sorted(legends), panel.title
        assert all(legends), panel.title


@each_dashboard
def test_a_variable_that_is_read_can_be_chosen(dashboard: Dashboard) -> None:
    chosen = ["__rate_interval", "__range"]
    for variable in dashboard.variables:
        assert _variables(variable.series) <= set(chosen)
        chosen.append(variable.name)
    read = {name for query in _queries(dashboard) for name in _variables(query.expression)}
    assert read <= set(chosen)


def _variables(text: str) -> set[str]:
    return set(re.findall(r"\$(\w+)", text))


@pytest.mark.parametrize("name", MONITORED)
def test_the_series_that_have_the_values_of_variables_are_there(name: str) -> None:
    platform = monitored_platform(name)
    there = emitted_metrics(platform) | {metric.name for metric in known_series().kube_state}
    for dashboard in dashboards_of(platform):
        for variable in dashboard.variables:
            assert read_metrics(variable.series) <= there


@each_dashboard
def test_a_link_leads_to_a_dashboard_and_fills_variables_of_it_from_columns(
    dashboard: Dashboard,
) -> None:
    by_name = {each.name: each for each in DASHBOARDS}
    for panel in _panels(dashboard):
        for link in panel.links:
            variables = {variable.name for variable in by_name[link.dashboard].variables}
            assert set(link.variables) <= variables
            columns = {link.label, *link.variables.values()}
            for query in panel.queries:
                grouped = query.expression.partition("by (")[2].partition(")")[0].split(", ")
                assert columns <= set(grouped), (panel.title, query.expression)


@each_dashboard
def test_a_dashboard_fits_into_a_config_map(dashboard: Dashboard) -> None:
    assert len(dashboard_text(dashboard).encode()) < MAX_DATA_BYTES / 10


def test_dashboards_have_uids_that_grafana_takes() -> None:
    uids = [dashboard.uid for dashboard in DASHBOARDS]
    assert sorted(set(uids)) == sorted(uids)
    assert [uid for uid in uids if not 8 <= len(uid) <= 40] == []


def test_the_page_tells_of_every_dashboard() -> None:
    page = (Path(__file__).parents[4] / "docs" / "dashboards.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0].removeprefix("| ") for line in page.splitlines()]
    told = [row for row in rows if row in {dashboard.title for dashboard in DASHBOARDS}]
    assert told == [dashboard.title for dashboard in DASHBOARDS]
