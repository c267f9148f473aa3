"""How a series gets what another knows: its pool, its team, its price, and its size in GPUs.

Each is an operand of PromQL that follows the series
(https://prometheus.io/docs/prometheus/latest/querying/operators/#group-modifiers).
"""

from charts_py.metrics.recorded import (
    GPU_HOUR_PRICE,
    GPUS_PER_ALLOCATION,
    GPUS_PER_NODE,
    NAMESPACE_TEAM,
    NODE_POOL,
)
from gpus.sharing import SharingKind

TO_POOL_OF_NODE = "* on (node) group_left (pool)"

WITH_POOL = f"{TO_POOL_OF_NODE} {NODE_POOL.name}"
WITH_TEAM = f"* on (namespace) group_left (team) {NAMESPACE_TEAM.name}"

IN_GPUS = f"* on (pool, resource) group_left () {GPUS_PER_ALLOCATION.name}"
"""Makes GPUs of allocations of a pool's resource."""

PRICED = f"* on (pool) group_left (currency) {GPU_HOUR_PRICE.name}"
"""Makes the cost of an hour of GPUs."""

POOLS_OF_SOLE_HOLDERS = f'{GPUS_PER_NODE.name}{{sharing=~"{SharingKind.NONE}|{SharingKind.MIG}"}}'
"""The pools of whose GPUs, or MIG instances, each is held by one pod at most."""
