"""Alerts on the links of GPUs, to each other and to their machine."""

from charts_py.components.gpu_metrics.alerts.of_gpus import GPU, growth
from charts_py.metrics.dcgm import (
    NVLINK_DATA_ERRORS,
    NVLINK_FLIT_ERRORS,
    NVLINK_RECOVERIES,
    NVLINK_REPLAYS,
    PCIE_REPLAYS,
)
from charts_py.metrics.dcgm_counter import DcgmCounter
from charts_py.platform.alert import Alert, Severity

_CRC_PER_SECOND = 100
_REPLAYS_PER_MINUTE = 31

_LIMITS = "https://github.com/NVIDIA/DCGM, `DcgmGpuHardwareLimits.h` at v4.6.0"


def _per_second(counter: DcgmCounter) -> str:
    return growth(counter, "5m", "rate")


NVLINK_BROKEN = Alert(
    name="GpuplaneNvlinkErrors",
    expression=f"{growth(NVLINK_REPLAYS, '15m')} > 0 or {growth(NVLINK_RECOVERIES, '15m')} > 0",
    lasting="5m",
    severity=Severity.WARNING,
    summary=f"NVLink of {GPU} had to send again or to recover: collective operations are slower, or"
    " fail.",
    remedy="Look at `nvidia-smi nvlink -e` on the node, and at its XID errors. Drain it and reset"
    " its GPUs; if it comes back, run `dcgmi diag -r 3`, and have the GPU or its board replaced.",
    source=f"DCGM fails a GPU at the first (`DCGM_LIMIT_MAX_NVLINK_ERROR` in {_LIMITS}).",
)
NVLINK_NOISY = Alert(
    name="GpuplaneNvlinkCrcErrors",
    expression=f"{_per_second(NVLINK_FLIT_ERRORS)} >= {_CRC_PER_SECOND}"
    f" or {_per_second(NVLINK_DATA_ERRORS)} >= {_CRC_PER_SECOND}",
    lasting="5m",
    severity=Severity.WARNING,
    summary=f"NVLink of {GPU} has {_CRC_PER_SECOND} errors of its checksum a second, or more.",
    remedy="Drain the node and reset its GPUs; if it comes back, have the GPU or its board"
    " replaced.",
    source=f"Fewer do not matter (`DCGM_LIMIT_MAX_NVLINK_CRC_ERROR` in {_LIMITS}).",
)
PCIE_NOISY = Alert(
    name="GpuplaneGpuPcieReplays",
    expression=f"{growth(PCIE_REPLAYS, '15m')} / 15 > {_REPLAYS_PER_MINUTE}",
    lasting="15m",
    severity=Severity.WARNING,
    summary=f"PCIe of {GPU} sends again what did not arrive, more than {_REPLAYS_PER_MINUTE} times"
    " a minute.",
    remedy="Drain the node; seat the GPU, or its riser, anew. If it comes back, have it replaced.",
    source=f"DCGM's limit for 16 lanes of PCIe 5, 1.92 a minute for each ({_LIMITS}); older ones"
    " may have half or a quarter of it.",
)

ALERTS = (NVLINK_BROKEN, NVLINK_NOISY, PCIE_NOISY)
