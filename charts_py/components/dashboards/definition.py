"""Dashboards of Grafana: fleet, pool, team, node, job, queues, and the admission webhook.

They are made from the same metrics as rules and alerts, and show what the cluster has: without
prices nothing of cost, and without counters of its own nothing that the exporter measures.
docs/dashboards.md says what each answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.dashboards.config_maps import dashboard_config_maps
from charts_py.components.definition import Definition
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform


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
