"""What is held and used of the GPUs, by pool, team and namespace, and what that costs.

Prometheus records it from what kube-state-metrics and the exporters of NVIDIA and AMD measure, and
from what the cluster file says: which pools there are, what one allocation is of a GPU, whose
namespaces there are, and what a GPU costs an hour. docs/figures.md has the formulas.

It is nothing but rules, which stand with those of the others in the component `monitoring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.alert_tables import Rules
from charts_py.components.definition import Definition
from charts_py.components.gpu_usage.rules import usage_alerts, usage_groups
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.components.component import Component
    from charts_py.platform.platform import Platform


def _no_applications(_: Platform) -> Iterator[Component]:
    return iter(())


GPU_USAGE = Definition(
    name="gpu-usage",
    description=__doc__,
    appears="unless the cluster leaves monitoring to others",
    is_wanted=lambda platform: platform.monitoring.prometheus is not None,
    fields=(
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
        "addons.monitoring.gpuCounters",
        "pools",
        "teams",
        "cost",
    ),
    wave=Wave.EXTENSIONS,
    parts=_no_applications,
    rules=Rules(usage_groups, usage_alerts),
)
