"""What a metric of kube-state-metrics is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from charts_py.metrics.dcgm_counter import MetricType


@dataclass(frozen=True, slots=True)
class KubeStateMetric:
    """A metric, as Prometheus names it."""

    name: str
    type: MetricType
    labels: tuple[str, ...]
    """Those that it has of its own, beside the labels of the target."""


def in_metrics(name: str) -> str:
    """Return the name of a resource or label as kube-state-metrics writes it.

    Source: `sanitizeLabelName` in internal/store/utils.go of
    https://github.com/kubernetes/kube-state-metrics at v2.20.0.
    """
    return re.sub(r"[^a-zA-Z0-9_]", "_", name)
