"""The queries of which dashboards have many."""

from __future__ import annotations

import pytest

from charts_py.components.dashboards.queries import (
    POOL,
    TEAM,
    by_node_of_pools,
    grown_of_each_gpu,
    of_each_gpu,
    over_the_time_shown,
    rate_of,
    share_of_capacity,
    total,
)
from charts_py.grafana.query import Query
from charts_py.metrics import amd
from charts_py.metrics.dcgm import ENGINE_ACTIVE, PCIE_REPLAYS, POWER, XIDS
from charts_py.metrics.recorded import POOL_USED, TEAM_GPU_SECONDS, TEAM_USED
from charts_py.metrics.webhook import FIXES


@pytest.mark.parametrize(
    ("query", "expression"),
    [
        (total(TEAM_USED, "Used"), "sum (team:gpuplane_used_gpus:sum)"),
        (
            total(TEAM_USED, "Used", TEAM, by="team"),
            'sum by (team) (team:gpuplane_used_gpus:sum{team=~"$team"})',
        ),
        (
            share_of_capacity(POOL_USED, "Used"),
            (
                "sum (pool:gpuplane_used_gpus:sum) / sum"
                " (pool:gpuplane_capacity_gpus:sum and on (pool) pool:gpuplane_used_gpus:sum)"
            ),
        ),
        (
            over_the_time_shown(TEAM_GPU_SECONDS, "GPU-hours", by="team", per=3600),
            "sum by (team) (sum_over_time(team:gpuplane_gpu_seconds:sum1h[$__range:1h])) / 3600",
        ),
        (
            of_each_gpu(POWER, POOL),
            'max by (node, gpu) (DCGM_FI_DEV_POWER_USAGE{pool=~"$pool"})',
        ),
        (
            of_each_gpu(ENGINE_ACTIVE, ""),
            "max by (node, gpu, GPU_I_ID) (DCGM_FI_PROF_GR_ENGINE_ACTIVE)",
        ),
        (
            of_each_gpu(amd.POWER, POOL),
            'max by (node, gpu_id) (gpu_power_usage{pool=~"$pool"})',
        ),
        (
            of_each_gpu(XIDS, "", also_by="xid"),
            "max by (node, gpu, xid) (DCGM_EXP_XID_ERRORS_COUNT)",
        ),
        (
            grown_of_each_gpu(PCIE_REPLAYS, "", "retries"),
            ("rate((max by (node, gpu) (DCGM_FI_DEV_PCIE_REPLAY_COUNTER))[$__rate_interval:15s])"),
        ),
        (
            by_node_of_pools("sum", POWER),
            (
                "sum by (node) ((max by (node, gpu) (DCGM_FI_DEV_POWER_USAGE))"
                ' * on (node) group_left (pool) node:gpuplane_pool:info{pool=~"$pool"})'
            ),
        ),
        (
            rate_of(FIXES, "{{rule}}", by="rule"),
            "sum by (rule) (rate(gpuplane_webhook_fixes_total[$__rate_interval]))",
        ),
    ],
)
def test_what_is_measured_twice_counts_once(query: Query, expression: str) -> None:
    assert query.expression == expression
