"""The mean of a figure over the last hour, to be added up hour by hour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.metrics.recorded import NAMESPACE_TEAM
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from charts_py.metrics.recorded_series import RecordedSeries

ALWAYS_THERE = f'{NAMESPACE_TEAM.name}{{namespace=""}}'
"""One series that each evaluation records, whatever is measured."""

_EVALUATIONS = f"count_over_time({ALWAYS_THERE}[1h])"
"""How often rules were evaluated, whatever their interval."""


def last_hour(record: RecordedSeries, figure: RecordedSeries, factor: int = 1) -> RecordingRule:
    """Return the mean of an hour; what is missing where something was evaluated counts as 0."""
    times = f"{factor} * " if factor != 1 else ""
    return RecordingRule(
        record.name,
        f"{times}sum_over_time({figure.name}[1h]) / on () group_left () {_EVALUATIONS}",
    )
