"""Queues: what each namespace has, holds, borrows and waits for, how long, and who gives way."""

from charts_py.components.dashboards import links, variables
from charts_py.components.dashboards.queue_queries import (
    grown,
    in_pools,
    of_teams,
    quantile_of_teams,
)
from charts_py.grafana.dashboard import Dashboard, Row
from charts_py.grafana.panel import Kind, Panel
from charts_py.grafana.query import Query
from charts_py.metrics.kueue import (
    ADMISSION_WAIT,
    ADMITTED_WORKLOADS,
    EVICTED_WORKLOADS,
    LEADING,
    NOMINAL_QUOTA,
    PENDING_RESOURCES,
    PENDING_WORKLOADS,
    PREEMPTED_WORKLOADS,
    QUEUE_STATUS,
    READY_WAIT,
    RESERVED_RESOURCES,
)

_BORROWED = f"clamp_min({RESERVED_RESOURCES.led} - {NOMINAL_QUOTA.led}, 0)"
_NOT_HELD = f"clamp_min({NOMINAL_QUOTA.led} - {RESERVED_RESOURCES.led}, 0)"
_OWN_AND_HELD = (RESERVED_RESOURCES, NOMINAL_QUOTA)
_OF_QUOTA = "team, namespace, pool, resource"
_RESOURCE = "namespace, resource"
_OF_RESOURCE = "{{namespace}}: {{resource}}"
_OF_POOL = "{{pool}}: {{resource}}"
_LEFT_FOR_OTHERS = (
    "What a namespace has and does not hold is free, or lent: Kueue does not say to whom."
)

_QUOTAS = Row(
    "GPUs",
    (
        Panel(
            title="Quotas",
            kind=Kind.TABLE,
            queries=(
                of_teams(NOMINAL_QUOTA.led, "Own", (NOMINAL_QUOTA,), _OF_QUOTA),
                of_teams(RESERVED_RESOURCES.led, "Held", (RESERVED_RESOURCES,), _OF_QUOTA),
                of_teams(_BORROWED, "Borrowed", _OWN_AND_HELD, _OF_QUOTA),
                of_teams(_NOT_HELD, "Own, not held", _OWN_AND_HELD, _OF_QUOTA),
            ),
            note=_LEFT_FOR_OTHERS,
            links=(links.TEAM, links.POOL),
        ),
        Panel(
            title="Held, by namespace",
            kind=Kind.TIME_SERIES,
            queries=(
                of_teams(RESERVED_RESOURCES.led, _OF_RESOURCE, (RESERVED_RESOURCES,), _RESOURCE),
            ),
            is_stacked=True,
        ),
        Panel(
            title="Borrowed, by namespace",
            kind=Kind.TIME_SERIES,
            queries=(of_teams(_BORROWED, _OF_RESOURCE, _OWN_AND_HELD, _RESOURCE),),
            is_stacked=True,
        ),
        Panel(
            title="Held, by pool",
            kind=Kind.TIME_SERIES,
            queries=(
                in_pools(RESERVED_RESOURCES.led, _OF_POOL, (RESERVED_RESOURCES,)),
                in_pools(NOMINAL_QUOTA.led, f"{_OF_POOL}, all quotas", (NOMINAL_QUOTA,)),
            ),
            note="Of all teams.",
        ),
        Panel(
            title="Lent, by pool",
            kind=Kind.TIME_SERIES,
            queries=(in_pools(_BORROWED, _OF_POOL, _OWN_AND_HELD),),
            is_stacked=True,
            note="Of all teams: what one borrows, others lend.",
        ),
    ),
)

_WAITS = Row(
    "Jobs that wait",
    (
        Panel(
            title="Jobs that wait, by namespace",
            kind=Kind.TIME_SERIES,
            queries=(
                of_teams(PENDING_WORKLOADS.led, "{{namespace}}", (PENDING_WORKLOADS,), "namespace"),
            ),
            is_stacked=True,
        ),
        Panel(
            title="What they ask for, by namespace",
            kind=Kind.TIME_SERIES,
            queries=(
                of_teams(
                    f"({PENDING_RESOURCES.led} and on (cluster_queue, resource)"
                    f" {NOMINAL_QUOTA.led})",
                    _OF_RESOURCE,
                    (PENDING_RESOURCES, NOMINAL_QUOTA),
                    _RESOURCE,
                ),
            ),
            is_stacked=True,
            note="Of what has a quota.",
        ),
        Panel(
            title="How long jobs waited",
            kind=Kind.TABLE,
            queries=(
                of_teams(grown(ADMITTED_WORKLOADS), "Jobs", (ADMITTED_WORKLOADS,)),
                quantile_of_teams(0.5, ADMISSION_WAIT, "Half were let start within"),
                quantile_of_teams(0.95, ADMISSION_WAIT, "95 % were let start within"),
                quantile_of_teams(0.95, READY_WAIT, "95 % were ready after that within"),
            ),
            note="Those that were let start in the time shown, with those that ask for no GPUs and"
            " never wait.",
            links=(links.TEAM,),
        ),
    ),
)

_GIVEN_BACK = Row(
    "Jobs that gave way",
    (
        Panel(
            title="Jobs that gave back what they held",
            kind=Kind.TABLE,
            queries=(
                of_teams(
                    f"{grown(EVICTED_WORKLOADS)} > 0",
                    "Times",
                    (EVICTED_WORKLOADS,),
                    "team, namespace, reason, underlying_cause",
                ),
            ),
            note="In the time shown. Empty where none did.",
            links=(links.TEAM,),
            width=12,
        ),
        Panel(
            title="For whom jobs were evicted",
            kind=Kind.TABLE,
            queries=(
                of_teams(
                    f"{grown(PREEMPTED_WORKLOADS)} > 0",
                    "Jobs evicted",
                    (PREEMPTED_WORKLOADS,),
                    "team, namespace, reason",
                    queue="preempting_cluster_queue",
                ),
            ),
            note="In the time shown, by the namespace whose job came in their place. Empty where"
            " none was.",
            links=(links.TEAM,),
            width=12,
        ),
        Panel(
            title="Queues that let nothing start",
            kind=Kind.TABLE,
            queries=(
                Query(
                    f"sum by (cluster_queue, status) ({QUEUE_STATUS.name}"
                    f'{{{LEADING}, status!="active"}}) > 0',
                    "Queues",
                    (QUEUE_STATUS,),
                ),
            ),
            note="Empty where all are well. `kubectl describe clusterqueue` says what one lacks.",
            width=12,
        ),
    ),
)

QUEUES = Dashboard(
    name="queues",
    title="Queues",
    description=__doc__,
    variables=(variables.TEAM,),
    rows=(_QUOTAS, _WAITS, _GIVEN_BACK),
    hours=24,
)
