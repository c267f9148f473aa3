"""The rows of AMD's exporter: of a GPU, partitioned or not.

Of a GPU in partitions the driver measures the whole alone, and says so in the row of the first
partition. The pod named there has that partition; the pods of the others are named nowhere
(docs/configuration/metricslist.md of https://github.com/ROCm/device-metrics-exporter at v1.5.1).
"""

from charts_py.components.gpu_usage.rows import ExporterRows, held_rows, shared_rows
from charts_py.metrics.amd import ACTIVITY
from charts_py.metrics.recorded import NODE_POOL
from charts_py.metrics.scraped import from_no_team

_ROW = "node, gpu_id"

_FIRST = 'gpu_partition_id!~"[1-9].*"'
"""`NA` where the GPU is virtual."""
_PARTITIONED = '"dpx|tpx|qpx|cpx"'
"""`GPUComputePartitionType` in pkg/amdgpu/gen/amdgpu/gpu.pb.go; a whole GPU is `spx` or `none`."""

_GPUS = from_no_team(f"{ACTIVITY.name}{{{_FIRST}}}")
_WHOLE_GPUS = from_no_team(
    f"{ACTIVITY.name}{{{_FIRST}, gpu_compute_partition_type!~{_PARTITIONED}}}"
)
_GPUS_IN_PARTS = from_no_team(
    f"{ACTIVITY.name}{{{_FIRST}, gpu_compute_partition_type=~{_PARTITIONED}}}"
)

_HELD = held_rows(_WHOLE_GPUS, _ROW, NODE_POOL.name)
_SHARED = shared_rows(_GPUS_IN_PARTS, _ROW, NODE_POOL.name)

AMD_ROWS = ExporterRows(
    told_apart_by=_ROW,
    rows=f"{_HELD} or {_SHARED}",
    active=f"max by ({_ROW}) ({_GPUS}) / 100",
)
