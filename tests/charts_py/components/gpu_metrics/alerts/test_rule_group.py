"""All that is alerted on by what DCGM measures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_metrics.definition import gpu_alerts
from charts_py.metrics.series import Scope, known_series

if TYPE_CHECKING:
    from charts_py.platform.prometheus_rules import Alert

HEALTH_COUNTERS = [each for each in known_series().dcgm if not each.is_for_profiling]

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
