"""How well the GPUs work that a team's pods hold, of those that DCGM measures.

AMD's exporter profiles none unless its configuration asks for that.
"""

from charts_py.components.gpu_usage.rows_of_nvidia import BY_ROW, ON_ROW
from charts_py.metrics.dcgm import SM_ACTIVE, TENSOR_ACTIVE
from charts_py.metrics.dcgm_counter import DcgmCounter
from charts_py.metrics.recorded import GPU_SIZE, TEAM_SM_ACTIVE, TEAM_TENSOR_ACTIVE
from charts_py.metrics.recorded_series import RecordedSeries
from charts_py.metrics.scraped import from_no_team
from charts_py.platform.recording_rule import RecordingRule

_HELD = f'{GPU_SIZE.name}{{team!=""}}'


def _mean(series: RecordedSeries, counter: DcgmCounter) -> RecordingRule:
    """Return the mean over a team's GPUs, in which an instance counts as its part of a GPU."""
    measured = from_no_team(counter.name)
    return RecordingRule(
        series.name,
        f"sum by (team) (max {BY_ROW} ({measured}) * {ON_ROW} group_right () {_HELD})"
        f" / sum by (team) ({_HELD} and {ON_ROW} {measured})",
    )


TENSOR_EFFICIENCY = _mean(TEAM_TENSOR_ACTIVE, TENSOR_ACTIVE)
SM_EFFICIENCY = _mean(TEAM_SM_ACTIVE, SM_ACTIVE)
