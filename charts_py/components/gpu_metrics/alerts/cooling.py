"""Alerts on heat, power and fans, by the limits that each GPU states of itself."""

from charts_py.components.gpu_metrics.alerts.of_gpus import GPU, highest
from charts_py.components.gpu_metrics.thresholds import PoolThreshold, of_pool
from charts_py.metrics.dcgm import FAN_SPEED, POWER, POWER_LIMIT, SLOWED_DOWN, TEMPERATURE_MARGIN
from charts_py.metrics.joins import WITH_POOL
from charts_py.platform.alert import Alert, Severity

_MARGIN = f"min by (node, UUID) ({TEMPERATURE_MARGIN.name})"
"""Degrees that are left until the GPU slows down; older GPUs do not report it."""

_REASONS = (
    "https://docs.nvidia.com/deploy/nvml-api/group__nvmlClocksEventReasons.html says what each"
    " reason is"
)

_POWER_FACTOR = 1.05

_FULL_SPEED = 95
"""In percent."""

_SAMPLES = 10
"""Of a window: the exporter looks every 30 s, and counts over 5 minutes (`--collect-interval` and
`--clock-events-count-window-size` in `pkg/cmd/app.go`, and `getMetrics` in
`internal/pkg/collector/expcollector.go`, of https://github.com/NVIDIA/dcgm-exporter at
4.5.3-4.8.2)."""
_SHARE = 0.5


def _slowed_by(reason: str) -> str:
    """Return the part of the last five minutes in which a GPU was slowed, where it was half."""
    samples = f'max by (node, UUID, clock_event) ({SLOWED_DOWN.name}{{clock_event="{reason}"}})'
    return f"{samples} / {_SAMPLES} >= {_SHARE}"


_IS_TOO_HOT = f"max by (node, UUID) (max_over_time({TEMPERATURE_MARGIN.name}[5m])) <= 0"
"""GPUs that had no degree left for as long as it takes to be sure."""
_BY_HEAT = f"{_slowed_by('hw_thermal')} or on (node, UUID) {_slowed_by('sw_thermal')}"
"""By the reason that slows a GPU most."""
_SLOWED_MINUTES = 10
_IS_SLOWED = (
    f"count_over_time((max by (node, UUID) ({_BY_HEAT}))[{_SLOWED_MINUTES}m:1m])"
    f" >= {_SLOWED_MINUTES}"
)
"""GPUs that were slowed for as long as it takes to be sure, and not only now and then, which no
other alert would report."""

_IN_WINDOW = (
    f"{_REASONS}. Half of the {_SAMPLES} samples of five minutes: the exporter looks every 30 s"
)

TOO_HOT = Alert(
    name="GpuplaneGpuTooHot",
    expression=f"{_MARGIN} <= 0",
    lasting="5m",
    severity=Severity.CRITICAL,
    summary=f"{GPU} is as hot as it may be: it slows down, and shuts down a few degrees above.",
    remedy="Look at the cooling of the machine: fans, filters, the temperature of the room, the"
    " other GPUs of the node. Drain the node if it gets hotter still.",
    source="The margin is what the GPU itself has left until it slows down, so that no model has a"
    " temperature here: `DCGM_FI_DEV_GPU_TEMP_LIMIT`, https://docs.nvidia.com/nvsentinel/runbooks/"
    "gpu-thermal-margin.",
)
NEARLY_TOO_HOT = Alert(
    name="GpuplaneGpuNearlyTooHot",
    expression=f"{_MARGIN} {WITH_POOL} <= {of_pool(PoolThreshold.TEMPERATURE_MARGIN)}"
    f" unless on (node, UUID) ({_IS_TOO_HOT}) unless on (node, UUID) ({_IS_SLOWED})",
    lasting="15m",
    severity=Severity.WARNING,
    summary=f"{GPU} has {{{{ $value }}}} degrees left until it slows down.",
    remedy="Look at the cooling of the machine. Where its GPUs always run that hot, set"
    " `pools.NAME.alerts.temperatureMargin`.",
    source="`pools.NAME.alerts.temperatureMargin`; 5 by default, as an H100 slows down 2 degrees"
    " past its highest operating temperature, and shuts down 8 past it (`nvidia-smi -q -d"
    " TEMPERATURE`). Of a GPU that is too hot, or slowed down by heat, that is told and not this.",
)
SLOWED_BY_HEAT = Alert(
    name="GpuplaneGpuSlowedByHeat",
    expression=f"({_BY_HEAT}) unless on (node, UUID) ({_IS_TOO_HOT})",
    lasting=f"{_SLOWED_MINUTES}m",
    severity=Severity.WARNING,
    summary=f"{GPU} is slowed down by heat for {{{{ $value | humanizePercentage }}}} of the time"
    " ({{ $labels.clock_event }}); with `hw_thermal` to half its clock or less. A job on many GPUs"
    " is as slow as the slowest.",
    remedy="Look at the cooling of the machine: fans, filters, the temperature of the room.",
    source=f"{_IN_WINDOW}; ten minutes leave out what ends by itself.",
)
SLOWED_BY_POWER = Alert(
    name="GpuplaneGpuSlowedByPower",
    expression=_slowed_by("hw_power_brake"),
    lasting="10m",
    severity=Severity.WARNING,
    summary=f"{GPU} is slowed to half its clock or less for"
    " {{ $value | humanizePercentage }} of the time, because the machine lacks power.",
    remedy="Look at the power supplies of the machine, and at what its rack may draw.",
    source=f"{_IN_WINDOW}. `power_cap` is no fault: a busy GPU is at its power limit.",
)
ABOVE_POWER_LIMIT = Alert(
    name="GpuplaneGpuAbovePowerLimit",
    expression=f"{highest(POWER)} > {_POWER_FACTOR} * {highest(POWER_LIMIT)}",
    lasting="15m",
    severity=Severity.WARNING,
    summary=f"{GPU} draws {{{{ $value | printf `%.0f` }}}} W, more than it may.",
    remedy="Compare `nvidia-smi -q -d POWER` on the node; report a GPU that does not keep its limit"
    " to whoever sold it.",
    source="What a GPU measures of its power is exact to 5 %"
    " (https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html,"
    " `nvmlDeviceGetPowerUsage`).",
)
FAN_AT_FULL_SPEED = Alert(
    name="GpuplaneGpuFanAtFullSpeed",
    expression=f"{highest(FAN_SPEED)} >= {_FULL_SPEED}"
    f" unless on (node, UUID) ({_IS_TOO_HOT}) unless on (node, UUID) ({_IS_SLOWED})",
    lasting="30m",
    severity=Severity.INFO,
    summary=f"The fan of {GPU} cannot cool more: it runs at {{{{ $value }}}} % for half an hour.",
    remedy="Look at the filters and the temperature of the room before the GPU is slowed down.",
    source="The speed is the one that is asked for, which a blocked fan does not reach"
    " (https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html,"
    " `nvmlDeviceGetFanSpeed`). GPUs that the machine cools have none.",
)

ALERTS = (
    TOO_HOT,
    NEARLY_TOO_HOT,
    SLOWED_BY_HEAT,
    SLOWED_BY_POWER,
    ABOVE_POWER_LIMIT,
    FAN_AT_FULL_SPEED,
)
