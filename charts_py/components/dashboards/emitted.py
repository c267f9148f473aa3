"""Which metrics of the platform's own a cluster has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.amd_device_config.collected import collected_amd_metrics
from charts_py.components.gpu_metrics.counters_file import collected_counters
from charts_py.components.kueue.alerts import METRICS_SERVICE
from charts_py.components.webhook.server import NAME
from charts_py.metrics.kueue import KUEUE_METRICS
from charts_py.metrics.webhook import WEBHOOK_METRICS
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.grafana.query import Metric
    from charts_py.platform.platform import Platform


_TARGETS: tuple[tuple[str, tuple[Metric, ...]], ...] = (
    (NAME, WEBHOOK_METRICS),
    (METRICS_SERVICE, KUEUE_METRICS),
)
"""What is scraped, by the name of its target."""


def emitted_metrics(platform: Platform) -> frozenset[str]:
    """Return the names of what rules record, what is collected of GPUs, and what is scraped."""
    return frozenset((*_recorded(platform), *_collected(platform), *_scraped(platform)))


def _recorded(platform: Platform) -> Iterator[str]:
    for group in platform.contribution.rules:
        yield from (rule.record for rule in group.rules if isinstance(rule, RecordingRule))


def _collected(platform: Platform) -> Iterator[str]:
    yield from (counter.name for counter in collected_counters(platform))
    yield from (metric.name for metric in collected_amd_metrics(platform))


def _scraped(platform: Platform) -> Iterator[str]:
    targets = {target.name for target in platform.contribution.scraped}
    for name, metrics in _TARGETS:
        if name in targets:
            yield from (metric.name for metric in metrics)
