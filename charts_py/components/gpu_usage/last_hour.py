"""The mean of a figure over the last hour, to be added up hour by hour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.metrics.recorded import NAMESPACE_TEAM
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from charts_py.metrics.recorded_series import RecordedSeries

_EVALUATIONS = f'count_over_time({NAMESPACE_TEAM.name}{{namespace=""}}[1h])'
"""How often rules were evaluated, whatever their interval: this one series is always there."""


def last_hour(record: RecordedSeries, figure: RecordedSeries, factor: int = 1) -> RecordingRule:
    """Return the mean of an hour; what is missing where something was evaluated counts as 0."""
    times = f"{factor} * " if factor != 1 else ""
    return RecordingRule(
        record.name,
        f"{times}sum_over_time({figure.name}[1h]) / on () group_left () {_EVALUATIONS}",
    )
