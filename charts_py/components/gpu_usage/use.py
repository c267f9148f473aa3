"""How busy NVIDIA GPUs are, and whose pods keep them so.

The exporter has one row of a GPU, or of each MIG instance where it is partitioned. The pod that
holds it stands there as `exported_pod`: one of them where several share it, so that the row is then
nobody's.
"""

from charts_py.metrics.dcgm import ENGINE_ACTIVE, GPU_UTILISATION
from charts_py.metrics.joins import POOLS_OF_SOLE_HOLDERS, TO_POOL_OF_NODE, WITH_TEAM
from charts_py.metrics.recorded import (
    GPU_SIZE,
    GPU_USED,
    GPUS_PER_INSTANCE,
    NAMESPACE_ALLOCATED,
    NAMESPACE_USED,
    NODE_POOL,
    POOL_CAPACITY,
    POOL_USED,
    TEAM_ALLOCATED,
    TEAM_USED,
)
from charts_py.platform.recording_rule import RecordingRule

BY_ROW = "by (node, UUID, GPU_I_ID)"
ON_ROW = "on (node, UUID, GPU_I_ID)"

_ENGINE = ENGINE_ACTIVE.name
# Profiling is missing before Volta. With MIG it is not, and this is no figure of an instance.
_KERNELS = f'{GPU_UTILISATION.name}{{GPU_I_ID=""}}'

_ROWS = f"({_ENGINE} or on (node, UUID) {_KERNELS})"
_ACTIVE = f"(max {BY_ROW} ({_ENGINE}) or on (node, UUID) max {BY_ROW} ({_KERNELS}) / 100)"

_HOLDERS = (
    "label_replace(label_replace(group by"
    f" (node, UUID, GPU_I_ID, GPU_I_PROFILE, exported_namespace, exported_pod) ({_ROWS}),"
    ' "namespace", "$1", "exported_namespace", "(.*)"), "pod", "$1", "exported_pod", "(.*)")'
)

_HELD_ROWS = (
    "group by (node, UUID, GPU_I_ID, GPU_I_PROFILE, pool, namespace, pod)"
    f" ({_HOLDERS} {TO_POOL_OF_NODE} ({NODE_POOL.name} and on (pool) {POOLS_OF_SOLE_HOLDERS}))"
)

_SHARED_ROWS = (
    "group by (node, UUID, GPU_I_ID, GPU_I_PROFILE, pool)"
    f" ({_ROWS} {TO_POOL_OF_NODE} ({NODE_POOL.name} unless on (pool) {POOLS_OF_SOLE_HOLDERS}))"
)

USE = (
    RecordingRule(
        GPU_SIZE.name,
        f"({_HELD_ROWS} or {_SHARED_ROWS})"
        f" * on (pool, GPU_I_PROFILE) group_left () {GPUS_PER_INSTANCE.name} {WITH_TEAM}",
    ),
    RecordingRule(GPU_USED.name, f"{_ACTIVE} * {ON_ROW} group_right () ({GPU_SIZE.name} > bool 0)"),
    # Who holds no GPU uses none; whose GPUs are not measured has no figure.
    RecordingRule(
        POOL_USED.name,
        f"sum by (pool) ({GPU_USED.name} * {GPU_SIZE.name}) or {POOL_CAPACITY.name} == 0",
    ),
    RecordingRule(
        NAMESPACE_USED.name,
        f'sum by (namespace, team) ({GPU_USED.name}{{namespace!=""}} * {GPU_SIZE.name})'
        f" or {NAMESPACE_ALLOCATED.name} == 0",
    ),
    # Not the sum of namespaces: one that holds nothing would hide that another's is not measured.
    RecordingRule(
        TEAM_USED.name,
        f'sum by (team) ({GPU_USED.name}{{team!=""}} * {GPU_SIZE.name})'
        f" or {TEAM_ALLOCATED.name} == 0",
    ),
)
