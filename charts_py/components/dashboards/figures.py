"""The figures that several dashboards show side by side, and what they are called there."""

from charts_py.metrics.recorded import (
    POOL_ALLOCATABLE,
    POOL_ALLOCATED,
    POOL_CAPACITY,
    POOL_STRANDED,
    POOL_USED,
    TEAM_ALLOCATED_COST,
    TEAM_ALLOCATED_COST_OF_HOUR,
    TEAM_RESERVED_COST,
    TEAM_RESERVED_COST_OF_HOUR,
    TEAM_USED_COST,
    TEAM_USED_COST_OF_HOUR,
)

OF_POOLS = (
    (POOL_CAPACITY, "Capacity"),
    (POOL_ALLOCATABLE, "Offered"),
    (POOL_ALLOCATED, "Held"),
    (POOL_USED, "Used"),
    (POOL_STRANDED, "Stranded"),
)
COSTS_OF_TEAMS = (
    (TEAM_RESERVED_COST, "Reserved"),
    (TEAM_ALLOCATED_COST, "Held"),
    (TEAM_USED_COST, "Used"),
)
COSTS_OF_TEAMS_BY_HOUR = (
    (TEAM_RESERVED_COST_OF_HOUR, "Reserved"),
    (TEAM_ALLOCATED_COST_OF_HOUR, "Held"),
    (TEAM_USED_COST_OF_HOUR, "Used"),
)
