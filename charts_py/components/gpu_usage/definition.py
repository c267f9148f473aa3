"""What is held and used of the GPUs, by pool, team and namespace, and what that costs.

Prometheus records it from what kube-state-metrics and the exporters of NVIDIA and AMD measure, and
from what the cluster file says: which pools there are, what one allocation is of a GPU, whose
namespaces there are, and what a GPU costs an hour. docs/figures.md has the formulas.

It is nothing but rules, which stand with those of the others in the component `monitoring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.gpu_usage.alerts import ALERTS
from charts_py.components.gpu_usage.budget import OVER_BUDGET
from charts_py.components.gpu_usage.groups import usage_groups
from charts_py.platform.prerequisite import Prerequisite
from charts_py.platform.wave import Wave
from gpus.platform_names import POOL

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
    prerequisites=(
        Prerequisite(
            name=f"kube-state-metrics with `--metric-labels-allowlist=nodes=[{POOL}]`, scraped "
            "with `honorLabels: true`; with Google's managed collection one of your own, scraped "
            "by a ClusterPodMonitoring with `targetLabels.metadata: []`, since the managed one "
            "serves no labels of nodes",
            needed="for all that is measured",
            without="only the facts of the cluster file are recorded",
        ),
    ),
    rules=usage_groups,
    alerts=lambda: (*ALERTS, OVER_BUDGET),
)
