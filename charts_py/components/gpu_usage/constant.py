"""A fact as a series that never changes while a version is live."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from fractions import Fraction

    from charts_py.metrics.recorded_series import RecordedSeries


def constant(series: RecordedSeries, value: float | Fraction, *labels: str) -> RecordingRule:
    """Return the rule of one series, with the values of its labels in their order.

    An empty value is not a label. A fraction stays one, as `vector(1/7)`, which a person can check.
    """
    named = zip(series.labels, labels, strict=True)
    stated = {name: str(label) for name, label in named if label}
    return RecordingRule(series.name, f"vector({value})", stated)
