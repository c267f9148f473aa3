"""Alerts on the memory of GPUs: its errors, and how full it is."""

from charts_py.components.gpu_metrics.alerts.of_gpus import GPU, highest
from charts_py.metrics.dcgm import (
    DOUBLE_BIT_ERRORS,
    MEMORY_FREE,
    MEMORY_USED,
    RECOVERY_ACTION,
    REMAP_FAILED,
    REMAP_PENDING,
    SRAM_THRESHOLD,
)
from charts_py.platform.alert import Alert, Severity

_ERRORS = "https://docs.nvidia.com/deploy/a100-gpu-mem-error-mgmt/"

_FULL = 0.97
_INSTANCE = "node, UUID, GPU_I_ID, exported_namespace, exported_pod"

DOUBLE_BIT = Alert(
    name="GpuplaneGpuDoubleBitErrors",
    expression=f"{highest(DOUBLE_BIT_ERRORS)} > 0",
    lasting="0m",
    severity=Severity.WARNING,
    summary=f"The memory of {GPU} has had {{{{ $value }}}} errors of two bits since its driver"
    " started; each ended what used it.",
    remedy="Drain the node and reset the GPU, which replaces the rows. If it comes back, run"
    " `dcgmi diag -r 3`.",
    source=f"No such error can be corrected ({_ERRORS}). It fires until the GPU is reset.",
)
REMAP_WAITS = Alert(
    name="GpuplaneGpuRemapPending",
    expression=f"{highest(REMAP_PENDING)} == 1"
    f" unless on (node, UUID) {highest(RECOVERY_ACTION)} >= 1",
    lasting="10m",
    severity=Severity.WARNING,
    summary=f"{GPU} waits for a reset to replace a broken row of its memory. What runs may go on.",
    remedy="Drain the node when it suits, and reset the GPU or reboot.",
    source=f"The GPU says so itself ({_ERRORS}). Where it also asks for a reset or a drain, that is"
    " told and not this.",
)
REMAP_FAILURE = Alert(
    name="GpuplaneGpuRemapFailed",
    expression=f"{highest(REMAP_FAILED)} == 1",
    lasting="0m",
    severity=Severity.CRITICAL,
    summary=f"{GPU} has no spare rows left for those of its memory that are broken.",
    remedy="Drain the node, run NVIDIA's field diagnostic, and have the GPU replaced.",
    source=f"The GPU says so itself; confirmed by the field diagnostic it is replaced ({_ERRORS}).",
)
SRAM_ERRORS = Alert(
    name="GpuplaneGpuSramErrors",
    expression=f"{highest(SRAM_THRESHOLD)} == 1",
    lasting="0m",
    severity=Severity.WARNING,
    summary=f"The SRAM of {GPU} has had more errors than it may have.",
    remedy="Drain the node, run NVIDIA's field diagnostic, and have the GPU replaced if that"
    " confirms it.",
    source="The GPU says so itself, after more than 4 errors of parity, or 2 of ECC, in one bank"
    f" ({_ERRORS}).",
)
NEARLY_FULL = Alert(
    name="GpuplaneGpuMemoryNearlyFull",
    expression=f"max by ({_INSTANCE}) ({MEMORY_USED.name}"
    f" / ({MEMORY_USED.name} + {MEMORY_FREE.name})) > {_FULL}",
    lasting="1h",
    severity=Severity.INFO,
    summary=f"The memory of {GPU} is all but full{{{{ if $labels.exported_pod }}}}, by pod"
    " {{ $labels.exported_namespace }}/{{ $labels.exported_pod }}{{ end }}: the next allocation may"
    " fail.",
    remedy="Where it ends with `CUDA out of memory`: a smaller batch, or a larger GPU. Where it"
    " does not, nothing.",
    source="Servers of language models fill memory on purpose, to about nine tenths by default"
    " (https://docs.vllm.ai, `--gpu-memory-utilization`), so that only more is told, and only for"
    " who looks.",
)

ALERTS = (DOUBLE_BIT, REMAP_WAITS, REMAP_FAILURE, SRAM_ERRORS, NEARLY_FULL)
