"""What pods hold of what nodes offer, in GPUs."""

from charts_py.components.gpu_usage.pod_requests import pod_requests
from charts_py.components.gpu_usage.zeros import ZERO_BY_NAMESPACE, ZERO_BY_POOL
from charts_py.metrics.joins import IN_GPUS, WITH_POOL, WITH_TEAM
from charts_py.metrics.kube_state import NODE_ALLOCATABLE
from charts_py.metrics.recorded import (
    GPUS_PER_ALLOCATION,
    GPUS_PER_NODE,
    NAMESPACE_ALLOCATED,
    NODE_ALLOCATIONS,
    NODE_POOL,
    POD_ALLOCATED,
    POD_ALLOCATIONS,
    POOL_ALLOCATABLE,
    POOL_ALLOCATED,
    POOL_CAPACITY,
    TEAM_ALLOCATED,
)
from charts_py.metrics.scraped import from_no_team
from charts_py.platform.recording_rule import RecordingRule
from gpus.allocator import Allocator

_EXTENDED = 'unit="integer"'
"""The unit that kube-state-metrics gives extended resources, such as those of GPUs."""

_OF_GPUS = f"and on (pool, resource) {GPUS_PER_ALLOCATION.name}"

_DRA = f'{GPUS_PER_NODE.name}{{allocator="{Allocator.DRA}"}}'

_OFFERED_BY_DRIVERS = (
    f"{NODE_POOL.name} * on (pool) group_left () {_DRA}"
    f" * on (pool) group_left (resource) ({GPUS_PER_ALLOCATION.name} and on (pool) {_DRA})"
)
"""A node of DRA advertises nothing in its status; its driver offers every GPU."""

_IN_STATUS = from_no_team(f"{NODE_ALLOCATABLE.name}{{{_EXTENDED}}}")

_ADVERTISED = f"max by (node, resource) ({_IN_STATUS}) {WITH_POOL} {_OF_GPUS}"

ALLOCATION = (
    RecordingRule(POD_ALLOCATIONS.name, f"{pod_requests(_EXTENDED)} {WITH_POOL} {_OF_GPUS}"),
    RecordingRule(NODE_ALLOCATIONS.name, f"{_OFFERED_BY_DRIVERS} or {_ADVERTISED}"),
    RecordingRule(
        POD_ALLOCATED.name,
        f"sum by ({', '.join(POD_ALLOCATED.labels)})"
        f" ({POD_ALLOCATIONS.name} {IN_GPUS} {WITH_TEAM})",
    ),
    RecordingRule(
        NAMESPACE_ALLOCATED.name,
        f"sum by (namespace, team) ({POD_ALLOCATED.name}) or {ZERO_BY_NAMESPACE}",
    ),
    RecordingRule(TEAM_ALLOCATED.name, f'sum by (team) ({NAMESPACE_ALLOCATED.name}{{team!=""}})'),
    RecordingRule(POOL_ALLOCATED.name, f"sum by (pool) ({POD_ALLOCATED.name}) or {ZERO_BY_POOL}"),
    RecordingRule(
        POOL_CAPACITY.name,
        f"sum by (pool) ({NODE_POOL.name} * on (pool) group_left () {GPUS_PER_NODE.name})"
        f" or {ZERO_BY_POOL}",
    ),
    RecordingRule(
        POOL_ALLOCATABLE.name,
        f"sum by (pool) ({NODE_ALLOCATIONS.name} {IN_GPUS}) or {ZERO_BY_POOL}",
    ),
)
