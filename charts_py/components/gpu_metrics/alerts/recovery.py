"""Alerts on GPUs that ask for a reset, a reboot or a drain, for as long as they do."""

from charts_py.components.gpu_metrics.alerts.of_gpus import GPU, highest
from charts_py.metrics.dcgm import RECOVERY_ACTION
from charts_py.platform.alert import Alert, Severity

_ACTION = highest(RECOVERY_ACTION)
_SOURCE = (
    "The GPU says so itself, by `nvmlGpuRecoveryAction` of"
    " https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceEnumvs.html"
)

NEEDS_RESET = Alert(
    name="GpuplaneGpuNeedsReset",
    expression=f"{_ACTION} >= 1 < 3",
    lasting="1m",
    severity=Severity.CRITICAL,
    summary=f"{GPU} does not work until it is reset or its node is rebooted: it asks for"
    " {{ $value }}, where 1 is a reset and 2 a reboot.",
    remedy="Drain the node, and reset the GPU or reboot. The XID errors of the node say what has"
    " happened; if it comes back, run NVIDIA's field diagnostic.",
    source=f"{_SOURCE}: 1 is a reset, 2 a reboot.",
)
NEEDS_DRAIN = Alert(
    name="GpuplaneGpuNeedsDrain",
    expression=f"{_ACTION} >= 3",
    lasting="10m",
    severity=Severity.WARNING,
    summary=f"{GPU} goes on with less than it has, until what uses it is drained and it is reset:"
    " it asks for {{ $value }}, where 3 is for its links to other GPUs and 4 for all of it.",
    remedy="Drain the node when it suits, and reset the GPU or reboot.",
    source=f"{_SOURCE}: 3 is a drain of what goes from GPU to GPU, 4 a drain and a reset.",
)

ALERTS = (NEEDS_RESET, NEEDS_DRAIN)
