"""All pools and teams: what there is, what is held and used of it, what is ill, what it costs."""

from charts_py.components.dashboards import figures, links, notes
from charts_py.components.dashboards.queries import over_the_time_shown, share_of_capacity, total
from charts_py.grafana.dashboard import Dashboard, Row
from charts_py.grafana.panel import Kind, Limit, Panel
from charts_py.grafana.query import Query
from charts_py.grafana.unit import Unit
from charts_py.metrics.dcgm import RECOVERY_ACTION, XIDS
from charts_py.metrics.recorded import (
    NODE_POOL,
    POOL_ALLOCATABLE,
    POOL_ALLOCATED,
    POOL_CAPACITY,
    POOL_COST,
    POOL_INFO,
    POOL_USED,
    TEAM_ALLOCATED,
    TEAM_GPU_SECONDS,
    TEAM_SM_ACTIVE,
    TEAM_TENSOR_ACTIVE,
    TEAM_UNPRICED,
    TEAM_USED,
)

_CAPACITY = Row(
    "GPUs",
    (
        Panel(
            title="GPUs",
            kind=Kind.STAT,
            queries=tuple(total(series, legend) for series, legend in figures.OF_POOLS),
            width=16,
        ),
        Panel(
            title="Held and used",
            kind=Kind.STAT,
            queries=(
                share_of_capacity(POOL_ALLOCATED, "Held"),
                share_of_capacity(POOL_USED, "Used"),
            ),
            unit=Unit.RATIO,
            note="Parts of the capacity; what is used, of pools where that is measured.",
            width=8,
        ),
        Panel(
            title="GPUs over time",
            kind=Kind.TIME_SERIES,
            queries=tuple(total(series, legend) for series, legend in figures.OF_POOLS),
        ),
        Panel(
            title="GPUs held, by pool",
            kind=Kind.TIME_SERIES,
            queries=(total(POOL_ALLOCATED, "{{pool}}", by="pool"),),
            is_stacked=True,
        ),
        Panel(
            title="Pools",
            kind=Kind.TABLE,
            queries=(
                Query(
                    f"count by (pool, model, purchase) ({NODE_POOL.name}"
                    f" * on (pool) group_left (model, purchase) {POOL_INFO.name})",
                    "Nodes",
                    (NODE_POOL, POOL_INFO),
                ),
                *(total(series, legend, by="pool") for series, legend in figures.OF_POOLS),
            ),
            links=(links.POOL,),
        ),
    ),
)

_HEALTH = Row(
    "Health",
    (
        Panel(
            title="Alerts that fire",
            kind=Kind.TABLE,
            queries=(
                Query(
                    "count by (alertname, severity)"
                    ' (ALERTS{alertname=~"Gpuplane.+", alertstate="firing"})',
                    "Times",
                ),
            ),
            note="The platform's own. Empty where nothing fires.",
            width=12,
        ),
        Panel(
            title="GPUs that need a reset, reboot or drain",
            kind=Kind.TABLE,
            queries=(
                Query(
                    f"max by (node, gpu, UUID) ({RECOVERY_ACTION.name}) > 0",
                    "Action",
                    (RECOVERY_ACTION,),
                ),
            ),
            note="Empty where all are well.",
            links=(links.NODE,),
            width=12,
        ),
        Panel(
            title="XID errors",
            kind=Kind.TIME_SERIES,
            queries=(
                Query(
                    f"sum by (xid) (max by (node, UUID, xid) ({XIDS.name})) > 0",
                    "XID {{xid}}",
                    (XIDS,),
                ),
            ),
            limit=Limit(1),
            note="Empty where there were none.",
        ),
        Panel(
            title="GPUs that nodes have and do not offer",
            kind=Kind.TIME_SERIES,
            queries=(
                Query(
                    f"{POOL_CAPACITY.name} - {POOL_ALLOCATABLE.name}",
                    "{{pool}}",
                    (POOL_ALLOCATABLE, POOL_CAPACITY),
                ),
            ),
            note="What is left of the capacity is not well, not advertised, or has another layout.",
        ),
    ),
)

_TEAMS = Row(
    "Teams",
    (
        Panel(
            title="GPUs held, by team",
            kind=Kind.TIME_SERIES,
            queries=(total(TEAM_ALLOCATED, "{{team}}", by="team"),),
            is_stacked=True,
        ),
        Panel(
            title="GPUs used, by team",
            kind=Kind.TIME_SERIES,
            queries=(total(TEAM_USED, "{{team}}", by="team"),),
            is_stacked=True,
        ),
        Panel(
            title="Teams",
            kind=Kind.TABLE,
            queries=(
                total(TEAM_ALLOCATED, "Held", by="team"),
                total(TEAM_USED, "Used", by="team"),
                over_the_time_shown(TEAM_GPU_SECONDS, "GPU-hours", by="team", per=3600),
                total(TEAM_SM_ACTIVE, "Multiprocessors", by="team", unit=Unit.RATIO),
                total(TEAM_TENSOR_ACTIVE, "Tensor pipes", by="team", unit=Unit.RATIO),
            ),
            note=f"GPU-hours: {notes.FULL_HOURS}",
            links=(links.TEAM,),
        ),
    ),
)

_COST = Row(
    "Cost",
    (
        Panel(
            title="Cost an hour",
            kind=Kind.TIME_SERIES,
            queries=(
                total(POOL_COST, "Nodes, {{currency}}", by="currency"),
                *(
                    total(series, f"{legend}, {{{{currency}}}}", by="currency")
                    for series, legend in figures.COSTS_OF_TEAMS
                ),
            ),
            unit=Unit.PER_HOUR,
            note=notes.COSTS_APART,
        ),
        Panel(
            title="Cost of nodes an hour, by purchase",
            kind=Kind.TIME_SERIES,
            queries=(total(POOL_COST, "{{purchase}}, {{currency}}", by="purchase, currency"),),
            unit=Unit.PER_HOUR,
            is_stacked=True,
        ),
        Panel(
            title="GPUs held without a price",
            kind=Kind.TIME_SERIES,
            queries=(total(TEAM_UNPRICED, "{{team}}", by="team"),),
            is_stacked=True,
            note=notes.IN_NO_COST,
        ),
        Panel(
            title="Cost of teams in the time shown",
            kind=Kind.TABLE,
            queries=tuple(
                over_the_time_shown(series, legend, by="team, currency")
                for series, legend in figures.COSTS_OF_TEAMS_BY_HOUR
            ),
            note=notes.FULL_HOURS,
            links=(links.TEAM,),
        ),
    ),
)

FLEET = Dashboard(
    name="fleet",
    title="GPU fleet",
    description=__doc__,
    rows=(_CAPACITY, _HEALTH, _TEAMS, _COST),
)
