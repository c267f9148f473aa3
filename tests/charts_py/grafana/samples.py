"""Panels and dashboards, small ones."""

from charts_py.grafana.dashboard import (
    Dashboard,
    Kind,
    Limit,
    Link,
    Metric,
    Panel,
    Query,
    Row,
    Unit,
    Variable,
)

USED = Metric("used", "Time in which it was busy (0-1)")
HELD = Metric("held", "GPUs that are held")

USED_QUERY = Query("avg by (node) (used)", "{{node}}", (USED,))
HELD_QUERY = Query("sum by (pool) (held)", "Held", (HELD,))
RATIO_QUERY = Query("sum by (pool) (used)", "Used", (USED,), Unit.RATIO)

SERIES = Panel(
    title="Busy",
    kind=Kind.TIME_SERIES,
    queries=(USED_QUERY,),
    unit=Unit.RATIO,
    limit=Limit(0.9),
    is_stacked=True,
)
STAT = Panel(title="Held", kind=Kind.STAT, queries=(HELD_QUERY,), limit=Limit(2, is_least=True))
TABLE = Panel(
    title="Pools",
    kind=Kind.TABLE,
    queries=(HELD_QUERY, RATIO_QUERY),
    note="Whole GPUs.",
    links=(Link("pool", "pool", {"pool": "pool"}),),
)

DASHBOARD = Dashboard(
    name="sample",
    title="Sample",
    description="What is held and used.",
    variables=(
        Variable("pool", "held", "pool"),
        Variable("node", 'used{pool=~"$pool"}', "node", takes_several=False),
    ),
    rows=(Row("Held", (STAT, TABLE)), Row("Used", (SERIES,))),
)
