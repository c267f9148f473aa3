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
    summary=f"{GPU} works no more until {{{{ if eq $value 2.0 }}}}its node is rebooted"
    "{{ else }}it is reset{{ end }}.",
    remedy="Drain the node, and reset the GPU or reboot. The XID errors of the node say what has"
    " happened; if it comes back, run NVIDIA's field diagnostic.",
    source=f"{_SOURCE}: 1 is a reset, 2 a reboot.",
)
NEEDS_DRAIN = Alert(
    name="GpuplaneGpuNeedsDrain",
    expression=f"{_ACTION} >= 3",
    lasting="10m",
    severity=Severity.WARNING,
    summary=f"{GPU} goes on with less than it has, until what uses {{{{ if eq $value 3.0 }}}}its"
    " links to other GPUs{{ else }}it{{ end }} is drained and it is reset.",
    remedy="Drain the node when it suits, and reset the GPU or reboot.",
    source=f"{_SOURCE}: 3 is a drain of what goes from GPU to GPU, 4 a drain and a reset.",
)

ALERTS = (NEEDS_RESET, NEEDS_DRAIN)
