"""What an hour costs: three figures, of what is reserved, of what is held, and of what is used.

They are never added to each other, and none stands in for another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_usage.constant import constant
from charts_py.components.gpu_usage.last_hour import last_hour
from charts_py.metrics.joins import IN_GPUS, PRICED, WITH_TEAM
from charts_py.metrics.recorded import (
    GPU_HOUR_PRICE,
    GPU_SIZE,
    GPU_USED,
    NAMESPACE_ALLOCATED,
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
    TEAM_ALLOCATED,
    TEAM_ALLOCATED_COST,
    TEAM_ALLOCATED_COST_OF_HOUR,
    TEAM_RESERVED_COST,
    TEAM_RESERVED_COST_OF_HOUR,
    TEAM_UNPRICED,
    TEAM_USED_COST,
    TEAM_USED_COST_OF_HOUR,
)
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.metrics.recorded_series import RecordedSeries
    from charts_py.platform.platform import Platform

_PODS_OF_TEAMS = f'{POD_ALLOCATED.name}{{team!=""}}'


def prices(platform: Platform) -> Iterator[RecordingRule]:
    """Yield the price of a GPU-hour of each pool whose price is known."""
    for pool in platform.pools:
        price = platform.price_of(pool)
        if price is not None:
            labels = (pool.name, pool.spec.purchase, price.currency)
            yield constant(GPU_HOUR_PRICE, price.gpu_hour, *labels)


def _allocated(
    record: RecordedSeries,
    of: str,
    pods: str,
    reserved: RecordedSeries,
    allocated: RecordedSeries,
) -> RecordingRule:
    """Return the cost of what pods hold: 0 of who holds nothing, missing where none has a price.

    `of` is the label by which it is recorded, and `pods` what is held.
    """
    labels = ", ".join(record.labels)
    nothing = f"{reserved.name} and on () {NODE_POOL.name} and on ({of}) {allocated.name} == 0"
    return RecordingRule(record.name, f"sum by ({labels}) ({pods} {PRICED}) or 0 * ({nothing})")


def _used(record: RecordedSeries, rows: str, allocated: RecordedSeries) -> RecordingRule:
    """Return the cost of what is used of such rows, 0 where nothing is held."""
    used = f"{GPU_USED.name}{{{rows}}} * {GPU_SIZE.name} {PRICED}"
    labels = ", ".join(record.labels)
    return RecordingRule(record.name, f"sum by ({labels}) ({used}) or {allocated.name} == 0")


COST = (
    RecordingRule(
        POOL_COST.name,
        f"{GPU_HOUR_PRICE.name} * on (pool) group_left () {POOL_CAPACITY.name}",
    ),
    RecordingRule(
        NAMESPACE_RESERVED_COST.name,
        f"sum by (namespace, team, currency) ({QUOTA.name} {IN_GPUS} {PRICED} {WITH_TEAM})",
    ),
    RecordingRule(
        TEAM_RESERVED_COST.name,
        f'sum by (team, currency) ({NAMESPACE_RESERVED_COST.name}{{team!=""}})',
    ),
    _allocated(
        NAMESPACE_ALLOCATED_COST,
        "namespace",
        POD_ALLOCATED.name,
        NAMESPACE_RESERVED_COST,
        NAMESPACE_ALLOCATED,
    ),
    # Not the sum of namespaces: one that holds nothing would hide that another's has no price.
    _allocated(TEAM_ALLOCATED_COST, "team", _PODS_OF_TEAMS, TEAM_RESERVED_COST, TEAM_ALLOCATED),
    RecordingRule(
        TEAM_UNPRICED.name,
        f"sum by (team) ({_PODS_OF_TEAMS} unless on (pool) {GPU_HOUR_PRICE.name})"
        f" or 0 * {TEAM_ALLOCATED.name}",
    ),
    last_hour(NAMESPACE_RESERVED_COST_OF_HOUR, NAMESPACE_RESERVED_COST),
    last_hour(TEAM_RESERVED_COST_OF_HOUR, TEAM_RESERVED_COST),
    last_hour(NAMESPACE_ALLOCATED_COST_OF_HOUR, NAMESPACE_ALLOCATED_COST),
    last_hour(TEAM_ALLOCATED_COST_OF_HOUR, TEAM_ALLOCATED_COST),
)

USED_COST = (
    _used(NAMESPACE_USED_COST, 'namespace!=""', NAMESPACE_ALLOCATED_COST),
    _used(TEAM_USED_COST, 'team!=""', TEAM_ALLOCATED_COST),
    last_hour(NAMESPACE_USED_COST_OF_HOUR, NAMESPACE_USED_COST),
    last_hour(TEAM_USED_COST_OF_HOUR, TEAM_USED_COST),
)
