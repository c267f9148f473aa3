"""The metrics of AMD's exporter that rules read.

Source: docs/configuration/metricslist.md of https://github.com/ROCm/device-metrics-exporter at
v1.5.1. It writes them in lower case, without a prefix unless its configuration names one
(`GetPrefix` in pkg/exporter/metricsutil), and each with the labels `gpu_id` and `hostname`.
"""

HEALTH = "gpu_health"
"""1 where a GPU is well."""
UNCORRECTABLE_ERRORS = "gpu_ecc_uncorrect_total"
SLOWED_BY_SOCKET_HEAT = "gpu_violation_socket_thermal_residency_percentage"
SLOWED_BY_MEMORY_HEAT = "gpu_violation_hbm_thermal_residency_percentage"
SLOWED_BY_REGULATOR_HEAT = "gpu_violation_vr_thermal_residency_percentage"
"""Parts of the time in which it was slowed down (%); of an MI300 or newer that is not virtual."""

AMD_METRICS = (
    HEALTH,
    UNCORRECTABLE_ERRORS,
    SLOWED_BY_SOCKET_HEAT,
    SLOWED_BY_MEMORY_HEAT,
    SLOWED_BY_REGULATOR_HEAT,
)
