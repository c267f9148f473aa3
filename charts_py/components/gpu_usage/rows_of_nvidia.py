"""The rows of NVIDIA's exporter: of a GPU, or of each MIG instance where it is partitioned."""

from charts_py.components.gpu_usage.rows import ExporterRows, held_rows, shared_rows
from charts_py.metrics.dcgm import ENGINE_ACTIVE, GPU_UTILISATION
from charts_py.metrics.joins import POOLS_OF_SOLE_HOLDERS
from charts_py.metrics.recorded import NODE_POOL
from charts_py.metrics.scraped import from_no_team

_ROW = "node, UUID, GPU_I_ID"
_LABELS = f"{_ROW}, GPU_I_PROFILE"

BY_ROW = f"by ({_ROW})"
ON_ROW = f"on ({_ROW})"

_ENGINE = from_no_team(ENGINE_ACTIVE.name)
# Profiling is missing before Volta. With MIG it is there, and this is not a figure of an instance.
_KERNELS = from_no_team(f'{GPU_UTILISATION.name}{{GPU_I_ID=""}}')

_ROWS = f"({_ENGINE} or on (node, UUID) {_KERNELS})"

_HELD = held_rows(_ROWS, _LABELS, f"{NODE_POOL.name} and on (pool) {POOLS_OF_SOLE_HOLDERS}")
_SHARED = shared_rows(_ROWS, _LABELS, f"{NODE_POOL.name} unless on (pool) {POOLS_OF_SOLE_HOLDERS}")

NVIDIA_ROWS = ExporterRows(
    told_apart_by=_ROW,
    rows=f"{_HELD} or {_SHARED}",
    active=f"(max {BY_ROW} ({_ENGINE}) or on (node, UUID) max {BY_ROW} ({_KERNELS}) / 100)",
)
