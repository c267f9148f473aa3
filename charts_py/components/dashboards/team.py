"""A team: what it has reserved, holds and uses, how well, and what that costs."""

from charts_py.components.dashboards import figures, links, notes, variables
from charts_py.components.dashboards.queries import TEAM, over_the_time_shown, total
from charts_py.grafana.dashboard import Dashboard, Row
from charts_py.grafana.panel import Kind, Panel
from charts_py.grafana.query import Query
from charts_py.grafana.unit import Unit
from charts_py.metrics.joins import IN_GPUS
from charts_py.metrics.recorded import (
    GPU_SIZE,
    GPU_USED,
    GPUS_PER_ALLOCATION,
    NAMESPACE_ALLOCATED,
    NAMESPACE_INFO,
    NAMESPACE_USED,
    POD_ALLOCATED,
    QUOTA,
    TEAM_ALLOCATED,
    TEAM_BUDGET,
    TEAM_GPU_SECONDS,
    TEAM_MONTH_COST,
    TEAM_SM_ACTIVE,
    TEAM_TENSOR_ACTIVE,
    TEAM_UNPRICED,
    TEAM_USED,
)

_QUOTA_IN_GPUS = (
    f"{QUOTA.name} {IN_GPUS} * on (namespace) group_left (team) {NAMESPACE_INFO.name}{{{TEAM}}}"
)
_USED = f"{GPU_USED.name}{{{TEAM}}} * {GPU_SIZE.name}{{{TEAM}}}"

_GPUS = Row(
    "GPUs",
    (
        Panel(
            title="GPUs",
            kind=Kind.STAT,
            queries=(
                Query(
                    f"sum ({_QUOTA_IN_GPUS})",
                    "Reserved",
                    (QUOTA, GPUS_PER_ALLOCATION, NAMESPACE_INFO),
                ),
                total(TEAM_ALLOCATED, "Held", TEAM),
                total(TEAM_USED, "Used", TEAM),
            ),
            note="What is reserved is what its quotas allow, in GPUs.",
            width=12,
        ),
        Panel(
            title="Used of the GPUs held alone",
            kind=Kind.STAT,
            queries=(
                Query(
                    f"sum ({_USED}) / sum ({GPU_SIZE.name}{{{TEAM}}})", "Used", (GPU_USED, GPU_SIZE)
                ),
            ),
            unit=Unit.RATIO,
            note=notes.SHARED_GPUS,
            width=6,
        ),
        Panel(
            title="GPU-hours in the time shown",
            kind=Kind.STAT,
            queries=(over_the_time_shown(TEAM_GPU_SECONDS, "GPU-hours", TEAM, per=3600),),
            note=notes.FULL_HOURS,
            width=6,
        ),
        Panel(
            title="GPUs held, by namespace",
            kind=Kind.TIME_SERIES,
            queries=(total(NAMESPACE_ALLOCATED, "{{namespace}}", TEAM, by="namespace"),),
            is_stacked=True,
        ),
        Panel(
            title="GPUs used, by namespace",
            kind=Kind.TIME_SERIES,
            queries=(total(NAMESPACE_USED, "{{namespace}}", TEAM, by="namespace"),),
            is_stacked=True,
        ),
        Panel(
            title="Quotas",
            kind=Kind.TABLE,
            queries=(
                Query(
                    f"sum by (namespace, pool) ({_QUOTA_IN_GPUS})",
                    "GPUs reserved",
                    (QUOTA, GPUS_PER_ALLOCATION, NAMESPACE_INFO),
                ),
                total(POD_ALLOCATED, "GPUs held", TEAM, by="namespace, pool"),
            ),
            links=(links.POOL,),
            width=12,
        ),
        Panel(
            title="How well GPUs work",
            kind=Kind.TIME_SERIES,
            queries=(
                total(TEAM_SM_ACTIVE, "{{team}}: multiprocessors", TEAM, by="team"),
                total(TEAM_TENSOR_ACTIVE, "{{team}}: tensor pipes", TEAM, by="team"),
            ),
            unit=Unit.RATIO,
        ),
    ),
)

_PODS = Row(
    "Pods",
    (
        Panel(
            title="Pods with GPUs",
            kind=Kind.TABLE,
            queries=(
                total(POD_ALLOCATED, "GPUs held", TEAM, by="namespace, pod, pool"),
                Query(
                    f"sum by (namespace, pod, pool) ({_USED})",
                    "GPUs used",
                    (GPU_USED, GPU_SIZE),
                ),
            ),
            note=notes.SHARED_GPUS,
            links=(links.POD, links.POOL),
        ),
    ),
)

_COST = Row(
    "Cost",
    (
        Panel(
            title="Cost an hour",
            kind=Kind.TIME_SERIES,
            queries=tuple(
                total(series, f"{legend}, {{{{currency}}}}", TEAM, by="currency")
                for series, legend in figures.COSTS_OF_TEAMS
            ),
            unit=Unit.PER_HOUR,
            note=notes.COSTS_APART,
        ),
        Panel(
            title="Budget",
            kind=Kind.TIME_SERIES,
            queries=(
                total(TEAM_BUDGET, "{{team}}: budget, {{currency}}", TEAM, by="team, currency"),
                Query(
                    f"{TEAM_MONTH_COST.name}{{{TEAM}}} and on (team, currency) {TEAM_BUDGET.name}",
                    "{{team}}: held, {{currency}}",
                    (TEAM_MONTH_COST, TEAM_BUDGET),
                ),
            ),
            unit=Unit.PER_MONTH,
            note=notes.LIKE_LAST_WEEK,
        ),
        Panel(
            title="GPUs held without a price",
            kind=Kind.TIME_SERIES,
            queries=(total(TEAM_UNPRICED, "{{team}}", TEAM, by="team"),),
            is_stacked=True,
            note=notes.IN_NO_COST,
        ),
        Panel(
            title="Cost in the time shown",
            kind=Kind.TABLE,
            queries=tuple(
                over_the_time_shown(series, legend, TEAM, by="team, currency")
                for series, legend in figures.COSTS_OF_TEAMS_BY_HOUR
            ),
            note=notes.FULL_HOURS,
            width=12,
        ),
    ),
)

TEAMS = Dashboard(
    name="team",
    title="GPUs of a team",
    description=__doc__,
    variables=(variables.TEAM,),
    rows=(_GPUS, _PODS, _COST),
    hours=24,
)
