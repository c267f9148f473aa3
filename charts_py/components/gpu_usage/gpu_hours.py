"""GPU-hours: what was held for how long."""

from charts_py.metrics.recorded import (
    NAMESPACE_ALLOCATED,
    NAMESPACE_GPU_SECONDS,
    NAMESPACE_TEAM,
    TEAM_ALLOCATED,
    TEAM_GPU_SECONDS,
)
from charts_py.metrics.recorded_series import RecordedSeries
from charts_py.platform.recording_rule import RecordingRule

_EVALUATIONS = f'count_over_time({NAMESPACE_TEAM.name}{{namespace=""}}[1h])'
"""How often rules were evaluated, whatever their interval: this one series is always there."""


def _last_hour(seconds: RecordedSeries, gpus: RecordedSeries) -> RecordingRule:
    """Return the mean of an hour; what is missing where something was evaluated counts as 0."""
    return RecordingRule(
        seconds.name,
        f"3600 * sum_over_time({gpus.name}[1h]) / on () group_left () {_EVALUATIONS}",
    )


GPU_HOURS = (
    _last_hour(NAMESPACE_GPU_SECONDS, NAMESPACE_ALLOCATED),
    _last_hour(TEAM_GPU_SECONDS, TEAM_ALLOCATED),
)
