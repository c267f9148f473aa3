"""The ConfigMaps from which Grafana's sidecar takes dashboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.dashboards.emitted import emitted_metrics
from charts_py.components.dashboards.fleet import FLEET
from charts_py.components.dashboards.job import JOBS
from charts_py.components.dashboards.node import NODES
from charts_py.components.dashboards.pool import POOLS
from charts_py.components.dashboards.queues import QUEUES
from charts_py.components.dashboards.team import TEAMS
from charts_py.components.dashboards.webhook import WEBHOOK
from charts_py.grafana.dashboard_json import dashboard_text
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.metrics_collection import dashboards_namespace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.grafana.dashboard import Dashboard
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

DASHBOARDS = (FLEET, POOLS, TEAMS, NODES, JOBS, QUEUES, WEBHOOK)

_FOLDER = "grafana_folder"
"""The annotation that names the folder in Grafana, where the sidecar is told to read it:
`sidecar.dashboards.folderAnnotation` of the chart grafana,
https://github.com/grafana/helm-charts/tree/main/charts/grafana"""


def dashboards_of(platform: Platform) -> tuple[Dashboard, ...]:
    """Return the dashboards of a platform, with what it can show alone."""
    emitted = emitted_metrics(platform)
    shown = (dashboard.with_metrics(emitted) for dashboard in DASHBOARDS)
    return tuple(dashboard for dashboard in shown if dashboard.rows)


def dashboard_config_maps(platform: Platform) -> Iterator[Document]:
    """Yield a ConfigMap for each dashboard, where the cluster asks for them."""
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
