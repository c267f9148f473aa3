"""What the cluster file decides of the exporter of NVIDIA's metrics, as values of the chart."""

from typing import Any

from charts_py.components.gpu_metrics.counters_file import (
    counters_config_map_name,
    replaces_exporters_counters,
)
from charts_py.components.node_of_pod import NODE_OF_POD
from charts_py.platform.metrics_collection import MetricsCollection
from charts_py.platform.platform import Platform

_UNITS = {"s": 1, "m": 60}
"""Seconds of each unit that an interval is written in."""

_SCRAPE_TIMEOUT_SECONDS = 10
"""The chart's; the Prometheus operator refuses one that is longer than the interval."""


def exporter_values(platform: Platform) -> dict[str, Any]:
    """Return which counters are collected, and how Prometheus scrapes them."""
    monitor = _service_monitor(platform.monitoring)
    if not replaces_exporters_counters(platform):
        return {"serviceMonitor": monitor}
    collected = platform.cluster.addons.monitoring.gpu_counters
    return {
        "config": {"create": False, "name": counters_config_map_name(collected)},
        "serviceMonitor": {**monitor, "relabelings": [dict(NODE_OF_POD)]},
    }


def monitor_labels(monitoring: MetricsCollection) -> dict[str, Any]:
    """Return the labels of a ServiceMonitor that the operator makes; empty where it has none."""
    return {"additionalLabels": dict(monitoring.labels)} if monitoring.labels else {}


def _service_monitor(monitoring: MetricsCollection) -> dict[str, Any]:
    timeout = min(_seconds(monitoring.interval), _SCRAPE_TIMEOUT_SECONDS)
    return {
        "enabled": monitoring.has_operator,
        "interval": monitoring.interval,
        "scrapeTimeout": f"{timeout}s",
        **monitor_labels(monitoring),
    }


def _seconds(duration: str) -> int:
    return int(duration[:-1]) * _UNITS[duration[-1]]
