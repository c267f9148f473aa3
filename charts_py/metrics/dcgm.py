"""The counters of NVIDIA GPUs that the platform can collect.

The names are those of DCGM before 4.6, which that release still reads: an exporter ends with a
fault where it does not know a name. Names, numbers and units: `dcgmlib/dcgm_fields.h` in
https://github.com/NVIDIA/DCGM at v4.6.0, `pkg/dcgm/const_fields.go` in
https://github.com/NVIDIA/go-dcgm at ec245c09fe3e; what the exporter itself counts:
`internal/pkg/counters` and `collector` in https://github.com/NVIDIA/dcgm-exporter at 4.5.3-4.8.2,
which is not yet the one that the operator runs.
"""

from charts_py.metrics.dcgm_counter import DcgmCounter, MetricType, Scope

_GAUGE, _COUNTER = MetricType.GAUGE, MetricType.COUNTER
_INSTANCE, _GPU = Scope.INSTANCE, Scope.GPU


GPU_UTILISATION = DcgmCounter(
    "DCGM_FI_DEV_GPU_UTIL", 203, _GAUGE, _GPU, "Time in which a kernel ran (%); not with MIG"
)
ENGINE_ACTIVE = DcgmCounter(
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
    1001,
    _GAUGE,
    _INSTANCE,
    "Time in which the engine was active (0-1)",
)
TENSOR_ACTIVE = DcgmCounter(
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", 1004, _GAUGE, _INSTANCE, "Cycles of the tensor pipes (0-1)"
)
MEMORY_ACTIVE = DcgmCounter(
    "DCGM_FI_PROF_DRAM_ACTIVE", 1005, _GAUGE, _INSTANCE, "Cycles of the memory's interface (0-1)"
)
MEMORY_USED = DcgmCounter("DCGM_FI_DEV_FB_USED", 252, _GAUGE, _INSTANCE, "Memory in use (MiB)")
MEMORY_FREE = DcgmCounter(
    "DCGM_FI_DEV_FB_FREE", 251, _GAUGE, _INSTANCE, "Memory that is free (MiB)"
)
MEMORY_RESERVED = DcgmCounter(
    "DCGM_FI_DEV_FB_RESERVED", 253, _GAUGE, _INSTANCE, "Memory that the driver keeps (MiB)"
)
TEMPERATURE = DcgmCounter("DCGM_FI_DEV_GPU_TEMP", 150, _GAUGE, _GPU, "Temperature of the GPU (C)")
MEMORY_TEMPERATURE = DcgmCounter(
    "DCGM_FI_DEV_MEMORY_TEMP", 140, _GAUGE, _GPU, "Temperature of its memory (C)"
)
TEMPERATURE_MARGIN = DcgmCounter(
    "DCGM_FI_DEV_GPU_TEMP_LIMIT",
    153,
    _GAUGE,
    _GPU,
    "How far it is from its highest temperature (C)",
)
FAN_SPEED = DcgmCounter("DCGM_FI_DEV_FAN_SPEED", 191, _GAUGE, _GPU, "Speed of the fan (%)")
POWER = DcgmCounter("DCGM_FI_DEV_POWER_USAGE", 155, _GAUGE, _GPU, "Power that it draws (W)")
POWER_LIMIT = DcgmCounter(
    "DCGM_FI_DEV_ENFORCED_POWER_LIMIT", 164, _GAUGE, _GPU, "Power that it may draw (W)"
)
ENERGY = DcgmCounter(
    "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
    156,
    _COUNTER,
    _GPU,
    "Energy since the driver started (mJ)",
)
CLOCK = DcgmCounter("DCGM_FI_DEV_SM_CLOCK", 100, _GAUGE, _GPU, "Clock of the multiprocessors (MHz)")
SLOWED_DOWN = DcgmCounter(
    "DCGM_EXP_CLOCK_EVENTS_COUNT",
    None,
    _GAUGE,
    _GPU,
    "Samples by clock_event; gpu_idle is no slowdown",
)
LAST_XID = DcgmCounter("DCGM_FI_DEV_XID_ERRORS", 230, _GAUGE, _INSTANCE, "The last XID error")
XIDS = DcgmCounter(
    "DCGM_EXP_XID_ERRORS_COUNT", None, _GAUGE, _GPU, "XID errors of the last minutes"
)
HEALTH = DcgmCounter(
    "DCGM_EXP_GPU_HEALTH_STATUS", None, _GAUGE, _GPU, "Health: 0 passes and 10 warns and 20 fails"
)
RECOVERY_ACTION = DcgmCounter(
    "DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION",
    1523,
    _GAUGE,
    _GPU,
    "What it needs: 0 nothing; 1 a reset; 2 a reboot; 3 and 4 a drain",
)
DOUBLE_BIT_ERRORS = DcgmCounter(
    "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
    311,
    _COUNTER,
    _GPU,
    "Double-bit errors since the driver started",
)
SINGLE_BIT_ERRORS = DcgmCounter(
    "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL",
    310,
    _COUNTER,
    _GPU,
    "Single-bit errors since the driver started",
)
UNCORRECTABLE_ROWS = DcgmCounter(
    "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", 393, _COUNTER, _GPU, "Rows remapped for good reason"
)
CORRECTABLE_ROWS = DcgmCounter(
    "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", 394, _COUNTER, _GPU, "Rows remapped after errors"
)
REMAP_FAILED = DcgmCounter(
    "DCGM_FI_DEV_ROW_REMAP_FAILURE", 395, _GAUGE, _GPU, "A row was not remapped"
)
REMAP_PENDING = DcgmCounter(
    "DCGM_FI_DEV_ROW_REMAP_PENDING", 396, _GAUGE, _GPU, "A remap awaits a reset"
)
SRAM_THRESHOLD = DcgmCounter(
    "DCGM_FI_DEV_THRESHOLD_SRM", 346, _GAUGE, _GPU, "SRAM has more errors than it may have"
)
PCIE_REPLAYS = DcgmCounter(
    "DCGM_FI_DEV_PCIE_REPLAY_COUNTER", 202, _COUNTER, _GPU, "Retries on PCIe"
)
NVLINK_FLIT_ERRORS = DcgmCounter(
    "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
    409,
    _COUNTER,
    _GPU,
    "CRC errors of NVLink's flow control",
)
NVLINK_DATA_ERRORS = DcgmCounter(
    "DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL",
    419,
    _COUNTER,
    _GPU,
    "CRC errors of NVLink's data",
)
NVLINK_REPLAYS = DcgmCounter(
    "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL", 429, _COUNTER, _GPU, "Retries on NVLink"
)
NVLINK_RECOVERIES = DcgmCounter(
    "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL", 439, _COUNTER, _GPU, "Recoveries of NVLink"
)
SM_ACTIVE = DcgmCounter(
    "DCGM_FI_PROF_SM_ACTIVE",
    1002,
    _GAUGE,
    _INSTANCE,
    "Cycles in which a multiprocessor had work (0-1)",
)
SM_OCCUPANCY = DcgmCounter(
    "DCGM_FI_PROF_SM_OCCUPANCY",
    1003,
    _GAUGE,
    _INSTANCE,
    "Warps of those that a multiprocessor can hold (0-1)",
)
PCIE_SENT = DcgmCounter(
    "DCGM_FI_PROF_PCIE_TX_BYTES", 1009, _GAUGE, _GPU, "Sent over PCIe (bytes/s)"
)
PCIE_RECEIVED = DcgmCounter(
    "DCGM_FI_PROF_PCIE_RX_BYTES", 1010, _GAUGE, _GPU, "Received over PCIe (bytes/s)"
)
NVLINK_SENT = DcgmCounter(
    "DCGM_FI_PROF_NVLINK_TX_BYTES", 1011, _GAUGE, _GPU, "Sent over NVLink (bytes/s)"
)
NVLINK_RECEIVED = DcgmCounter(
    "DCGM_FI_PROF_NVLINK_RX_BYTES", 1012, _GAUGE, _GPU, "Received over NVLink (bytes/s)"
)

HEALTH_COUNTERS = (
    GPU_UTILISATION,
    ENGINE_ACTIVE,
    TENSOR_ACTIVE,
    MEMORY_ACTIVE,
    MEMORY_USED,
    MEMORY_FREE,
    MEMORY_RESERVED,
    TEMPERATURE,
    MEMORY_TEMPERATURE,
    TEMPERATURE_MARGIN,
    FAN_SPEED,
    POWER,
    POWER_LIMIT,
    ENERGY,
    CLOCK,
    SLOWED_DOWN,
    LAST_XID,
    XIDS,
    HEALTH,
    RECOVERY_ACTION,
    DOUBLE_BIT_ERRORS,
    SINGLE_BIT_ERRORS,
    UNCORRECTABLE_ROWS,
    CORRECTABLE_ROWS,
    REMAP_FAILED,
    REMAP_PENDING,
    SRAM_THRESHOLD,
    PCIE_REPLAYS,
    NVLINK_FLIT_ERRORS,
    NVLINK_DATA_ERRORS,
    NVLINK_REPLAYS,
    NVLINK_RECOVERIES,
)
"""What shows whether GPUs are well and used. Of profiling it has what the exporter's own file has,
but for PCIe."""

PROFILING_COUNTERS = (
    SM_ACTIVE,
    SM_OCCUPANCY,
    PCIE_SENT,
    PCIE_RECEIVED,
    NVLINK_SENT,
    NVLINK_RECEIVED,
)
"""What shows how well they are used. Before Hopper some of them cannot be watched together, so that
DCGM takes turns; and no other profiler can run beside them."""
