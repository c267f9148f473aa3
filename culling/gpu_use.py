"""Which pods hold GPUs, and which of these they have not used, by Prometheus."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from culling.prometheus import PrometheusError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from culling.prometheus import Prometheus, Row
    from culling.settings import Queries

PodName: TypeAlias = "tuple[str, str]"
"""Namespace and name."""

_ROUNDING = 0.001
"""More than sums of sevenths are apart, and less than any share of a GPU."""


@dataclass(frozen=True, slots=True)
class PodUse:
    """What a pod holds of GPUs, and uses of them."""

    held: float
    """GPUs; a MIG instance is its part of one."""
    idle: float
    """GPUs of these that were not used for longer than their pool allows."""
    last_used: dt.datetime | None
    """When one of the idle ones was last used; None where none is idle."""

    @property
    def is_idle(self) -> bool:
        """Whether all that it holds is known to be idle."""
        return self.last_used is not None and self.idle >= self.held - _ROUNDING


@dataclass(frozen=True, slots=True)
class GpuUse:
    """What pods hold of GPUs, and use of them."""

    capacity: float
    """GPUs of the cluster."""
    pods: Mapping[PodName, PodUse]


def gpu_use(prometheus: Prometheus, queries: Queries) -> GpuUse:
    """Return what Prometheus answers; raise PrometheusError."""
    idle = _by_pod(prometheus.rows(queries.idle_gpus))
    minutes = _by_pod(prometheus.rows(queries.idle_minutes))
    held = _by_pod(prometheus.rows(queries.held_gpus))
    pods = {name: _pod_use(row, idle.get(name), minutes.get(name)) for name, row in held.items()}
    return GpuUse(_capacity(prometheus.rows(queries.capacity)), pods)


def _capacity(rows: tuple[Row, ...]) -> float:
    if len(rows) != 1:
        raise PrometheusError("Prometheus does not know how many GPUs the cluster has")
    return rows[0].value


def _by_pod(rows: tuple[Row, ...]) -> dict[PodName, Row]:
    named = (row for row in rows if "namespace" in row.labels and "pod" in row.labels)
    return {(row.labels["namespace"], row.labels["pod"]): row for row in named}


def _pod_use(held: Row, idle: Row | None, minutes: Row | None) -> PodUse:
    if idle is None or minutes is None:
        return PodUse(held.value, 0, None)
    last_used = dt.datetime.fromtimestamp(minutes.seconds - minutes.value * 60, dt.UTC)
    return PodUse(held.value, idle.value, last_used)
