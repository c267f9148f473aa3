"""What teams may spend a month, what they are about to, and the alert where that is more.

Prometheus often keeps two weeks, too few for figures of a calendar month. Every retention holds a
week, and each week has as many nights and weekends as any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_usage.constant import constant
from charts_py.components.gpu_usage.last_hour import ALWAYS_THERE
from charts_py.metrics.recorded import TEAM_ALLOCATED_COST_OF_HOUR, TEAM_BUDGET, TEAM_MONTH_COST
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.pool_price import HOURS_OF_A_MONTH
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.platform import Platform

_HOURS = "[7d:1h]"
"""One of each hour of the last seven days."""

_RECORDED_HOURS = f"count_over_time({ALWAYS_THERE}{_HOURS})"

_LEAST_HOURS = 24


def budgets(platform: Platform) -> Iterator[RecordingRule]:
    """Yield the budget of each team that has one."""
    for name, team in sorted(platform.cluster.teams.items()):
        if team.budget is not None:
            yield constant(TEAM_BUDGET, team.budget, name, platform.cluster.cost.currency)


MONTH_COST = RecordingRule(
    TEAM_MONTH_COST.name,
    f"{HOURS_OF_A_MONTH} * sum_over_time({TEAM_ALLOCATED_COST_OF_HOUR.name}{_HOURS})"
    f" / on () group_left () {_RECORDED_HOURS}",
)

OVER_BUDGET = Alert(
    name="GpuplaneTeamOverBudget",
    expression=f"{TEAM_MONTH_COST.name} / on (team, currency) {TEAM_BUDGET.name} > 1"
    f" and on () {_RECORDED_HOURS} >= {_LEAST_HOURS}",
    lasting="1h",
    severity=Severity.WARNING,
    summary="Team {{ $labels.team }} spends {{ $value | humanizePercentage }} of its budget a month"
    " on the GPUs that its pods hold, at the pace of the last seven days.",
    remedy="The team ends what it no longer needs: its dashboard shows which pods hold GPUs, and"
    " how busy they are. Else give it more in `teams.NAME.budget`, or less in its quotas: a budget"
    " refuses nothing.",
    source="The whole budget, since a team may spend all that it has; over a week, in which nights"
    " and the weekend have their part. It is silent until a day is recorded, since a single job of"
    " an hour says nothing of a month.",
)
