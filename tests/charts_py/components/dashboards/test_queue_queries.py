"""Queries of what Kueue serves."""

from __future__ import annotations

from charts_py.components.dashboards.queue_queries import grown, in_pools, of_teams
from charts_py.metrics.kueue import NOMINAL_QUOTA, PREEMPTED_WORKLOADS

OWN = (
    'kueue_cluster_queue_nominal_quota{replica_role!="follower",'
    ' resource!~"pods|gpuplane.io/nvlink-channel", flavor!="placed-workers.gpuplane.io"}'
)


def test_a_queue_is_shown_as_the_namespace_of_a_team_and_a_flavor_as_a_pool() -> None:
    quota = of_teams(NOMINAL_QUOTA.led, "Own", (NOMINAL_QUOTA,), "team, namespace, pool")
    assert quota.expression == (
        f'sum by (team, namespace, pool) (label_join(label_join({OWN}, "pool", "", "flavor"),'
        ' "namespace", "", "cluster_queue")'
        ' * on (namespace) group_left (team) namespace:gpuplane_team:info{team=~"$team"})'
    )


def test_what_is_lent_in_a_pool_is_counted_over_all_teams() -> None:
    assert in_pools(NOMINAL_QUOTA.led, "Own", (NOMINAL_QUOTA,)).expression == (
        f'sum by (pool, resource) (label_join({OWN}, "pool", "", "flavor"))'
    )


def test_the_first_event_counts_which_makes_the_series() -> None:
    series = 'kueue_preempted_workloads_total{replica_role!="follower"}'
    assert grown(PREEMPTED_WORKLOADS) == (
        f"(({series} unless last_over_time({series}[1h] offset $__range))"
        f" or round(increase({series}[$__range])))"
    )
