"""The metrics of AMD's exporter that rules and dashboards read.

Source: docs/configuration/metricslist.md of https://github.com/ROCm/device-metrics-exporter at
v1.5.1. It writes them in lower case, without a prefix unless its configuration names one
(`GetPrefix` in pkg/exporter/metricsutil), each with the labels `AMD_LABELS`. Of a GPU in
partitions most are measured as a whole, and stand in the row of its first partition alone.
"""

from charts_py.metrics.amd_metric import AmdMetric

AMD_LABELS = (
    "gpu_id",
    "card_model",
    "gpu_partition_id",
    "gpu_compute_partition_type",
    "gpu_memory_partition_type",
    "deployment_mode",
    "serial_number",
    "pod",
    "namespace",
    "container",
    "job_id",
    "job_user",
    "job_partition",
    "hostname",
)
"""`gpuMandatoryLables` in pkg/amdgpu/gpuagent/gpuagent_gpu_metrics.go; `gpu_uuid` is none of them.
`gpu_id` is the number of the device on its node."""

ACTIVITY = AmdMetric("gpu_gfx_activity", "Time in which the graphics engine was active (%)")
MEMORY_USED = AmdMetric("gpu_used_vram", "Memory in use (MB)")
MEMORY_TOTAL = AmdMetric("gpu_total_vram", "Memory that there is (MB)")
TEMPERATURE = AmdMetric("gpu_junction_temperature", "Temperature of its hottest spot (C)")
EDGE_TEMPERATURE = AmdMetric("gpu_edge_temperature", "Temperature of its edge (C); of an MI200")
MEMORY_TEMPERATURE = AmdMetric("gpu_memory_temperature", "Temperature of its memory (C)")
POWER = AmdMetric("gpu_power_usage", "Power that it draws (W)")
CLOCK = AmdMetric("gpu_clock", "Clocks by clock_type (MHz), of which `system` is the engine's")
HEALTH = AmdMetric("gpu_health", "1 where a GPU is well")
UNCORRECTABLE_ERRORS = AmdMetric(
    "gpu_ecc_uncorrect_total", "Errors of memory that ECC cannot correct"
)
CORRECTABLE_ERRORS = AmdMetric("gpu_ecc_correct_total", "Errors of memory that ECC corrects")
SLOWED_BY_SOCKET_HEAT = AmdMetric(
    "gpu_violation_socket_thermal_residency_percentage",
    "Time in which the heat of its socket slowed it down (%); of an MI300 or newer, not virtual",
)
SLOWED_BY_MEMORY_HEAT = AmdMetric(
    "gpu_violation_hbm_thermal_residency_percentage",
    "Time in which the heat of its memory slowed it down (%), likewise",
)
SLOWED_BY_REGULATOR_HEAT = AmdMetric(
    "gpu_violation_vr_thermal_residency_percentage",
    "Time in which the heat of its voltage regulator slowed it down (%), likewise",
)

AMD_METRICS = (
    ACTIVITY,
    MEMORY_USED,
    MEMORY_TOTAL,
    TEMPERATURE,
    EDGE_TEMPERATURE,
    MEMORY_TEMPERATURE,
    POWER,
    CLOCK,
    HEALTH,
    UNCORRECTABLE_ERRORS,
    CORRECTABLE_ERRORS,
    SLOWED_BY_SOCKET_HEAT,
    SLOWED_BY_MEMORY_HEAT,
    SLOWED_BY_REGULATOR_HEAT,
)
