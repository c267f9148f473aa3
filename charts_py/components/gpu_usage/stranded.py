"""GPUs that no pod holds and none can use, since nothing else is left on their node."""

from charts_py.components.gpu_usage.pod_requests import pod_requests
from charts_py.components.gpu_usage.zeros import ZERO_BY_POOL
from charts_py.metrics.free_allocations import FREE_ALLOCATIONS
from charts_py.metrics.joins import IN_GPUS, WITH_POOL
from charts_py.metrics.kube_state import NODE_ALLOCATABLE
from charts_py.metrics.recorded import (
    LEAST_REQUEST,
    NODE_SPARE,
    POOL_STRANDED,
)
from charts_py.metrics.scraped import from_no_team
from charts_py.platform.recording_rule import RecordingRule

_NEEDED = 'resource=~"cpu|memory"'

_IN_STATUS = from_no_team(f"{NODE_ALLOCATABLE.name}{{{_NEEDED}}}")

_OFFERED = f"max by (node, resource) ({_IN_STATUS})"

_SPARE = (
    f"({_OFFERED} - sum by (node, resource) ({pod_requests(_NEEDED)}) or {_OFFERED}) {WITH_POOL}"
)

_NUMBER_FREE = f"sum by (node, pool) ({FREE_ALLOCATIONS} > 0)"

_FREE_GPUS = f"sum by (node, pool) (({FREE_ALLOCATIONS} > 0) {IN_GPUS})"

_FITTING_PODS = (
    "min by (node, pool)"
    f" (floor({NODE_SPARE.name} / on (pool, resource) group_left () {LEAST_REQUEST.name}))"
)

STRANDED = (
    RecordingRule(NODE_SPARE.name, _SPARE),
    # Of what is free, the part for which there are no pods that fit.
    RecordingRule(
        POOL_STRANDED.name,
        f"sum by (pool) ({_FREE_GPUS}"
        f" * clamp(1 - {_FITTING_PODS} / {_NUMBER_FREE}, 0, 1)) or {ZERO_BY_POOL}",
    ),
)
