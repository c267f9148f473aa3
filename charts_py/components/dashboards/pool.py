"""A pool: how much of it is free, who holds it, how its nodes are, what it costs."""

from charts_py.components.dashboards import figures, links, notes, variables
from charts_py.components.dashboards.queries import POOL, by_node_of_pools, total
from charts_py.components.gpu_metrics.thresholds import PoolThreshold
from charts_py.grafana.dashboard import Dashboard, Row
from charts_py.grafana.panel import Kind, Limit, Panel
from charts_py.grafana.query import Query
from charts_py.grafana.unit import Unit
from charts_py.metrics import amd, dcgm
from charts_py.metrics.joins import IN_GPUS
from charts_py.metrics.recorded import (
    GPU_HOUR_PRICE,
    GPU_SIZE,
    GPU_USED,
    GPUS_PER_ALLOCATION,
    NODE_ALLOCATIONS,
    NODE_SPARE,
    POD_ALLOCATED,
    POOL_COST,
    QUOTA,
    THRESHOLD,
)

_MARGIN_OF_ALERT = Query(
    f'{THRESHOLD.name}{{{POOL}, threshold="{PoolThreshold.TEMPERATURE_MARGIN}"}}',
    "Alert, {{pool}}",
    (THRESHOLD,),
)

_GPUS = Row(
    "GPUs",
    (
        Panel(
            title="GPUs",
            kind=Kind.STAT,
            queries=tuple(total(series, legend, POOL) for series, legend in figures.OF_POOLS),
            width=12,
        ),
        Panel(
            title="Price of a GPU-hour",
            kind=Kind.STAT,
            queries=(
                Query(
                    f"{GPU_HOUR_PRICE.name}{{{POOL}}}",
                    "{{pool}}, {{currency}}",
                    (GPU_HOUR_PRICE,),
                ),
            ),
            unit=Unit.PER_HOUR,
            width=8,
        ),
        Panel(
            title="Cost",
            kind=Kind.STAT,
            queries=(total(POOL_COST, "{{currency}}", POOL, by="currency"),),
            unit=Unit.PER_HOUR,
            width=4,
        ),
        Panel(
            title="GPUs over time",
            kind=Kind.TIME_SERIES,
            queries=tuple(total(series, legend, POOL) for series, legend in figures.OF_POOLS),
        ),
        Panel(
            title="GPUs held, by team",
            kind=Kind.TIME_SERIES,
            queries=(total(POD_ALLOCATED, "{{team}}", POOL, by="team"),),
            is_stacked=True,
        ),
        Panel(
            title="Nodes",
            kind=Kind.TABLE,
            queries=(
                Query(
                    f"sum by (node, pool) ({NODE_ALLOCATIONS.name}{{{POOL}}} {IN_GPUS})",
                    "GPUs offered",
                    (NODE_ALLOCATIONS, GPUS_PER_ALLOCATION),
                ),
                total(POD_ALLOCATED, "GPUs held", POOL, by="node, pool"),
                total(NODE_SPARE, "Spare CPUs", f'{POOL}, resource="cpu"', by="node, pool"),
                total(
                    NODE_SPARE,
                    "Spare memory",
                    f'{POOL}, resource="memory"',
                    by="node, pool",
                    unit=Unit.BYTES,
                ),
            ),
            links=(links.NODE,),
        ),
    ),
)

_QUOTAS = Row(
    "Namespaces",
    (
        Panel(
            title="Quotas",
            kind=Kind.TABLE,
            queries=(
                Query(
                    f"sum by (namespace, pool) ({QUOTA.name}{{{POOL}}} {IN_GPUS})",
                    "GPUs of the quota",
                    (QUOTA, GPUS_PER_ALLOCATION),
                ),
                total(POD_ALLOCATED, "GPUs held", POOL, by="namespace, pool"),
            ),
            note="In GPUs, as what is held is.",
        ),
    ),
)

_NODES = Row(
    "Nodes",
    (
        Panel(
            title="GPUs used, by node",
            kind=Kind.TIME_SERIES,
            queries=(
                Query(
                    f"sum by (node) ({GPU_USED.name}{{{POOL}}} * {GPU_SIZE.name}{{{POOL}}})",
                    "{{node}}",
                    (GPU_USED, GPU_SIZE),
                ),
            ),
        ),
        Panel(
            title="Power, by node",
            kind=Kind.TIME_SERIES,
            queries=(by_node_of_pools("sum", dcgm.POWER), by_node_of_pools("sum", amd.POWER)),
            unit=Unit.WATTS,
            is_stacked=True,
        ),
        Panel(
            title="Hottest GPU, by node",
            kind=Kind.TIME_SERIES,
            queries=(
                by_node_of_pools("max", dcgm.TEMPERATURE),
                by_node_of_pools("max", amd.TEMPERATURE),
            ),
            unit=Unit.CELSIUS,
        ),
        Panel(
            title="Least margin of a GPU, by node",
            kind=Kind.TIME_SERIES,
            queries=(by_node_of_pools("min", dcgm.TEMPERATURE_MARGIN), _MARGIN_OF_ALERT),
            unit=Unit.CELSIUS,
            note=notes.SLOWED_DOWN_AT_ZERO,
            limit=Limit(0, is_least=True),
        ),
    ),
)

POOLS = Dashboard(
    name="pool",
    title="GPU pool",
    description=__doc__,
    variables=(variables.POOL,),
    rows=(_GPUS, _QUOTAS, _NODES),
)
