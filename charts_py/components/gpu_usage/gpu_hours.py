"""GPU-hours: what was held for how long."""

from charts_py.components.gpu_usage.last_hour import last_hour
from charts_py.metrics.recorded import (
    NAMESPACE_ALLOCATED,
    NAMESPACE_GPU_SECONDS,
    TEAM_ALLOCATED,
    TEAM_GPU_SECONDS,
)

GPU_HOURS = (
    last_hour(NAMESPACE_GPU_SECONDS, NAMESPACE_ALLOCATED, 3600),
    last_hour(TEAM_GPU_SECONDS, TEAM_ALLOCATED, 3600),
)
