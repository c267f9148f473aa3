"""What an hour costs: three figures, of what is reserved, of what is held, and of what is used.

They are never added to each other, and none stands in for another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_usage.constant import constant
from charts_py.components.gpu_usage.joins import WITH_TEAM
from charts_py.components.gpu_usage.last_hour import last_hour
from charts_py.metrics.recorded import (
    GPU_HOUR_PRICE,
    GPU_SIZE,
    GPU_USED,
    GPUS_PER_ALLOCATION,
    NAMESPACE_ALLOCATED_COST,
    NAMESPACE_ALLOCATED_COST_OF_HOUR,
    NAMESPACE_RESERVED_COST,
    NAMESPACE_RESERVED_COST_OF_HOUR,
    NAMESPACE_USED_COST,
    NAMESPACE_USED_COST_OF_HOUR,
    NODE_POOL,
    POD_ALLOCATED,
    POOL_CAPACITY,
    POOL_COST,
    QUOTA,
    TEAM_ALLOCATED_COST,
    TEAM_ALLOCATED_COST_OF_HOUR,
    TEAM_RESERVED_COST,
    TEAM_RESERVED_COST_OF_HOUR,
    TEAM_USED_COST,
    TEAM_USED_COST_OF_HOUR,
)
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.metrics.recorded_series import RecordedSeries
    from charts_py.platform.platform import Platform

_PRICED = f"* on (pool) group_left (currency) {GPU_HOUR_PRICE.name}"


def prices(platform: Platform) -> Iterator[RecordingRule]:
    """Yield the price of a GPU-hour of each pool whose price is known."""
    for pool in platform.pools:
        price = platform.price_of(pool)
        if price is not None:
            labels = (pool.name, pool.spec.purchase, price.currency)
            yield constant(GPU_HOUR_PRICE, price.gpu_hour, *labels)


def _by_team(team: RecordedSeries, namespace: RecordedSeries) -> RecordingRule:
    return RecordingRule(team.name, f'sum by (team, currency) ({namespace.name}{{team!=""}})')


COST = (
    RecordingRule(
        POOL_COST.name,
        f"{GPU_HOUR_PRICE.name} * on (pool) group_left () {POOL_CAPACITY.name}",
    ),
    RecordingRule(
        NAMESPACE_RESERVED_COST.name,
        f"sum by (namespace, team, currency) ({QUOTA.name}"
        f" * on (pool, resource) group_left () {GPUS_PER_ALLOCATION.name} {_PRICED} {WITH_TEAM})",
    ),
    _by_team(TEAM_RESERVED_COST, NAMESPACE_RESERVED_COST),
    RecordingRule(
        NAMESPACE_ALLOCATED_COST.name,
        f"sum by (namespace, team, currency) ({POD_ALLOCATED.name} {_PRICED})"
        f" or 0 * ({NAMESPACE_RESERVED_COST.name} and on () {NODE_POOL.name})",
    ),
    _by_team(TEAM_ALLOCATED_COST, NAMESPACE_ALLOCATED_COST),
    last_hour(NAMESPACE_RESERVED_COST_OF_HOUR, NAMESPACE_RESERVED_COST),
    last_hour(TEAM_RESERVED_COST_OF_HOUR, TEAM_RESERVED_COST),
    last_hour(NAMESPACE_ALLOCATED_COST_OF_HOUR, NAMESPACE_ALLOCATED_COST),
    last_hour(TEAM_ALLOCATED_COST_OF_HOUR, TEAM_ALLOCATED_COST),
)

USED_COST = (
    RecordingRule(
        NAMESPACE_USED_COST.name,
        "sum by (namespace, team, currency)"
        f' ({GPU_USED.name}{{namespace!=""}} * {GPU_SIZE.name} {_PRICED})'
        f" or {NAMESPACE_ALLOCATED_COST.name} == 0",
    ),
    _by_team(TEAM_USED_COST, NAMESPACE_USED_COST),
    last_hour(NAMESPACE_USED_COST_OF_HOUR, NAMESPACE_USED_COST),
    last_hour(TEAM_USED_COST_OF_HOUR, TEAM_USED_COST),
)
