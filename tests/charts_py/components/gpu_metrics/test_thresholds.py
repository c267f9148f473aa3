"""Thresholds of alerts that can be set for each pool."""

from __future__ import annotations

from charts_py.components.gpu_metrics.thresholds import PoolThreshold, of_pool
from charts_py.spec.field_schema import field_names


def test_a_threshold_is_named_as_its_field_of_the_cluster_file() -> None:
    assert field_names(("pools", "NAME", "alerts")) == tuple(each.value for each in PoolThreshold)


def test_series_of_a_pool_are_compared_with_its_own_threshold() -> None:
    assert of_pool(PoolThreshold.IDLE_MINUTES) == (
        'on (pool) group_left () gpuplane_pool_threshold{threshold="idleMinutes"}'
    )
