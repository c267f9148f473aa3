"""Dashboards of Grafana: fleet, pool, team, node, job, queues, and the admission webhook.

They are made from the same metrics as rules and alerts, and show what the cluster has: without
prices nothing of cost, and without counters of its own nothing that the exporter measures.
docs/dashboards.md says what each answers.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import convert

from charts_py.components.definition import Definition
from charts_py.components.gpu_metrics import (
    PoolThreshold,
    collected_amd_metrics,
    collected_counters,
)
from charts_py.components.kueue.definition import METRICS_SERVICE
from charts_py.components.webhook.definition import THRESHOLDS
from charts_py.components.webhook.server import NAME
from charts_py.grafana.dashboard import Dashboard, Link, Metric, Variable
from charts_py.grafana.dashboard_json import dashboard_text
from charts_py.metrics.series import known_series
from charts_py.metrics.table import read_table
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.metrics_collection import RecordingRule, dashboards_namespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave

_VALUES: Mapping[str, Mapping[str, object]] = {
    "fleet": {},
    "pool": {"temperature_margin": PoolThreshold.TEMPERATURE_MARGIN},
    "team": {},
    "node": {},
    "job": {},
    "queues": {},
    "webhook": THRESHOLDS,
}
"""The thresholds of alerts that each dashboard draws, by the name of its table."""
_LINKS = {
    "pool": Link("pool", "pool", {"pool": "pool"}),
    "team": Link("team", "team", {"team": "team"}),
    "node": Link("node", "node", {"node": "node"}),
    "pod": Link("pod", "job", {"namespace": "namespace", "pod": "pod"}),
}
"""A column of a table leads to another dashboard by these."""
_POD = 'kube_pod_owner{namespace="$namespace", owner_name=~"$workload"}'
_VARIABLES = {
    "pool": Variable("pool", "gpuplane_pool_info", "pool"),
    "team": Variable("team", "gpuplane_namespace_info", "team"),
    "node": Variable("node", 'node:gpuplane_pool:info{pool=~"$pool"}', "node"),
    "namespace": Variable(
        "namespace", "pod:gpuplane_allocated_gpus:sum", "namespace", takes_several=False
    ),
    "workload": Variable("workload", 'kube_pod_owner{namespace="$namespace"}', "owner_name"),
    "pod": Variable("pod", _POD, "pod"),
}
_FOLDER = "grafana_folder"
"""The annotation that names the folder in Grafana, where the sidecar is told to read it:
`sidecar.dashboards.folderAnnotation` of the chart grafana,
https://github.com/grafana/helm-charts/tree/main/charts/grafana"""


def dashboard_config_maps(platform: Platform) -> Iterator[Document]:
    monitoring = platform.cluster.addons.monitoring
    asked = monitoring.dashboards
    if asked is None:
        return
    namespace = dashboards_namespace(monitoring, asked)
    annotations = {_FOLDER: asked.folder} if asked.folder else {}
    for dashboard in dashboards_of(platform):
        metadata = ObjectMeta(dashboard.uid, namespace, asked.labels, annotations)
        data = {f"{dashboard.uid}.json": dashboard_text(dashboard)}
        yield object_of("v1", "ConfigMap", metadata, {"data": data})


def dashboards_of(platform: Platform) -> tuple[Dashboard, ...]:
    """Return the dashboards without the panels for which a platform has no metrics."""
    emitted = emitted_metrics(platform)
    shown = (dashboard.with_metrics(emitted) for dashboard in all_dashboards())
    return tuple(dashboard for dashboard in shown if dashboard.rows)


@cache
def all_dashboards() -> tuple[Dashboard, ...]:
    return tuple(_dashboard(name, values) for name, values in _VALUES.items())


def _dashboard(name: str, values: Mapping[str, object]) -> Dashboard:
    table = read_table(files(__package__) / f"{name}.yaml", **values)
    table["variables"] = [_VARIABLES[each] for each in table.get("variables", ())]
    for panel in (panel for row in table["rows"] for panel in row["panels"]):
        panel["links"] = [_LINKS[column] for column in panel.get("links", ())]
        for query in panel["queries"]:
            query["reads"] = _read(query)
    return convert({"name": name, **table}, Dashboard)


def _read(query: dict[str, Any]) -> list[Metric]:
    """Return the metrics of a query in the order of its text; first the one of its `shows`."""
    names = re.findall(r"[a-zA-Z_:][\w:]*", f"{query.pop('shows', '')} {query['expression']}")
    described = (_described().get(name) for name in dict.fromkeys(names))
    return [metric for metric in described if metric]


@cache
def _described() -> Mapping[str, Metric]:
    series = known_series()
    shown = (*series.dcgm, *series.amd, *series.kueue, *series.webhook, *series.recorded)
    return {each.name: Metric(each.name, each.help) for each in shown}


def emitted_metrics(platform: Platform) -> frozenset[str]:
    """Return the names of metrics that rules record, GPUs' exporters collect, or targets serve."""
    return frozenset((*_recorded(platform), *_collected(platform), *_scraped(platform)))


def _recorded(platform: Platform) -> Iterator[str]:
    for group in platform.watched.rules:
        yield from (rule.record for rule in group.rules if isinstance(rule, RecordingRule))


def _collected(platform: Platform) -> Iterator[str]:
    yield from (counter.name for counter in collected_counters(platform))
    yield from (metric.name for metric in collected_amd_metrics(platform))


def _scraped(platform: Platform) -> Iterator[str]:
    by_target = {NAME: known_series().webhook, METRICS_SERVICE: known_series().kueue}
    for target in platform.watched.scraped:
        yield from (metric.name for metric in by_target.get(target.name, ()))


def _is_wanted(platform: Platform) -> bool:
    is_recorded = platform.monitoring.prometheus is not None
    return is_recorded and platform.cluster.addons.monitoring.dashboards is not None


DASHBOARDS = Definition(
    name="dashboards",
    description=__doc__,
    appears="where the cluster asks for them, unless it leaves monitoring to others",
    is_wanted=_is_wanted,
    fields=(
        "addons.monitoring.dashboards",
        "addons.monitoring.namespace",
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
        "addons.monitoring.gpuCounters",
        "pools",
        "queues",
        "cost",
        "webhook",
    ),
    wave=Wave.EXTENSIONS,
    objects=dashboard_config_maps,
)
