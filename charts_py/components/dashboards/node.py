"""A node: what each of its GPUs does, how warm it is, and which errors it had."""

from charts_py.components.dashboards import links, notes, variables
from charts_py.components.dashboards.queries import (
    NODE,
    grown_of_each_gpu,
    name_of_gpu,
    of_each_gpu,
    total,
)
from charts_py.grafana.dashboard import Dashboard, Row
from charts_py.grafana.panel import Kind, Limit, Panel
from charts_py.grafana.query import Query
from charts_py.grafana.unit import Unit
from charts_py.metrics import amd, dcgm
from charts_py.metrics.joins import IN_GPUS
from charts_py.metrics.recorded import (
    GPU_USED,
    GPUS_PER_ALLOCATION,
    NODE_ALLOCATIONS,
    NODE_SPARE,
    POD_ALLOCATED,
)

_MEMORY = " / ".join(
    f"max by (node, gpu, GPU_I_ID) ({each})"
    for each in (
        f"{dcgm.MEMORY_USED.name}{{{NODE}}}",
        f"{dcgm.MEMORY_USED.name}{{{NODE}}} + {dcgm.MEMORY_FREE.name}{{{NODE}}}",
    )
)
_AMD_MEMORY = " / ".join(
    f"max by (node, gpu_id) ({metric.name}{{{NODE}}})"
    for metric in (amd.MEMORY_USED, amd.MEMORY_TOTAL)
)

_GPUS = Row(
    "GPUs",
    (
        Panel(
            title="GPUs",
            kind=Kind.STAT,
            queries=(
                Query(
                    f"sum ({NODE_ALLOCATIONS.name}{{{NODE}}} {IN_GPUS})",
                    "Offered",
                    (NODE_ALLOCATIONS, GPUS_PER_ALLOCATION),
                ),
                total(POD_ALLOCATED, "Held", NODE),
            ),
            width=8,
        ),
        Panel(
            title="Spare CPUs",
            kind=Kind.STAT,
            queries=(total(NODE_SPARE, "CPUs", f'{NODE}, resource="cpu"'),),
            width=8,
        ),
        Panel(
            title="Spare memory",
            kind=Kind.STAT,
            queries=(total(NODE_SPARE, "Memory", f'{NODE}, resource="memory"'),),
            unit=Unit.BYTES,
            width=8,
        ),
        Panel(
            title="Pods with GPUs",
            kind=Kind.TABLE,
            queries=(total(POD_ALLOCATED, "GPUs held", NODE, by="node, namespace, pod, team"),),
            links=(links.POD, links.TEAM),
        ),
    ),
)

_WORK = Row(
    "Work",
    (
        Panel(
            title="Time in which a GPU was busy",
            kind=Kind.TIME_SERIES,
            queries=(
                Query(
                    f"max by (node, UUID, GPU_I_ID, gpu_id) ({GPU_USED.name}{{{NODE}}})",
                    "{{node}} {{UUID}}{{gpu_id}} {{GPU_I_ID}}",
                    (GPU_USED,),
                ),
            ),
            unit=Unit.RATIO,
        ),
        Panel(
            title="Memory in use",
            kind=Kind.TIME_SERIES,
            queries=(
                Query(_MEMORY, name_of_gpu(dcgm.MEMORY_USED), (dcgm.MEMORY_USED, dcgm.MEMORY_FREE)),
                Query(
                    _AMD_MEMORY, name_of_gpu(amd.MEMORY_USED), (amd.MEMORY_USED, amd.MEMORY_TOTAL)
                ),
            ),
            unit=Unit.RATIO,
            note="Part of what is used or free. Servers of models fill it on purpose.",
        ),
        Panel(
            title="Tensor pipes",
            kind=Kind.TIME_SERIES,
            queries=(of_each_gpu(dcgm.TENSOR_ACTIVE, NODE),),
            unit=Unit.RATIO,
        ),
        Panel(
            title="Multiprocessors",
            kind=Kind.TIME_SERIES,
            queries=(of_each_gpu(dcgm.SM_ACTIVE, NODE),),
            unit=Unit.RATIO,
        ),
    ),
)

_HEAT = Row(
    "Heat and power",
    (
        Panel(
            title="Temperature",
            kind=Kind.TIME_SERIES,
            queries=(
                of_each_gpu(dcgm.TEMPERATURE, NODE),
                of_each_gpu(amd.TEMPERATURE, NODE),
                of_each_gpu(
                    amd.EDGE_TEMPERATURE, NODE, f"{name_of_gpu(amd.EDGE_TEMPERATURE)}: edge"
                ),
            ),
            unit=Unit.CELSIUS,
        ),
        Panel(
            title="Margin of the temperature",
            kind=Kind.TIME_SERIES,
            queries=(of_each_gpu(dcgm.TEMPERATURE_MARGIN, NODE),),
            unit=Unit.CELSIUS,
            note=notes.SLOWED_DOWN_AT_ZERO,
            limit=Limit(0, is_least=True),
        ),
        Panel(
            title="Temperature of the memory",
            kind=Kind.TIME_SERIES,
            queries=(
                of_each_gpu(dcgm.MEMORY_TEMPERATURE, NODE),
                of_each_gpu(amd.MEMORY_TEMPERATURE, NODE),
            ),
            unit=Unit.CELSIUS,
        ),
        Panel(
            title="Power",
            kind=Kind.TIME_SERIES,
            queries=(
                of_each_gpu(dcgm.POWER, NODE),
                of_each_gpu(dcgm.POWER_LIMIT, NODE, "{{node}} {{gpu}}: limit"),
                of_each_gpu(amd.POWER, NODE),
            ),
            unit=Unit.WATTS,
        ),
        Panel(
            title="Clock",
            kind=Kind.TIME_SERIES,
            queries=(
                of_each_gpu(dcgm.CLOCK, NODE),
                of_each_gpu(amd.CLOCK, f'{NODE}, clock_type="system"'),
            ),
            unit=Unit.MEGAHERTZ,
        ),
        Panel(
            title="Slowed down",
            kind=Kind.TIME_SERIES,
            queries=(
                of_each_gpu(
                    dcgm.SLOWED_DOWN,
                    NODE,
                    "{{node}} {{gpu}}: {{clock_event}}",
                    also_by="clock_event",
                ),
            ),
            note="By reason; an idle GPU and the limit of its power are among them.",
        ),
    ),
)

_ERRORS = Row(
    "Errors",
    (
        Panel(
            title="XID errors",
            kind=Kind.TIME_SERIES,
            queries=(of_each_gpu(dcgm.XIDS, NODE, "{{node}} {{gpu}}: XID {{xid}}", also_by="xid"),),
            limit=Limit(1),
        ),
        Panel(
            title="What GPUs need",
            kind=Kind.TIME_SERIES,
            queries=(of_each_gpu(dcgm.RECOVERY_ACTION, NODE),),
            limit=Limit(1),
        ),
        Panel(
            title="Memory errors",
            kind=Kind.TIME_SERIES,
            queries=(
                grown_of_each_gpu(dcgm.DOUBLE_BIT_ERRORS, NODE, "double-bit"),
                grown_of_each_gpu(dcgm.SINGLE_BIT_ERRORS, NODE, "single-bit"),
                grown_of_each_gpu(amd.UNCORRECTABLE_ERRORS, NODE, "uncorrectable"),
                grown_of_each_gpu(amd.CORRECTABLE_ERRORS, NODE, "correctable"),
            ),
            unit=Unit.PER_SECOND,
        ),
        Panel(
            title="Rows of memory to remap",
            kind=Kind.TIME_SERIES,
            queries=(
                of_each_gpu(dcgm.REMAP_PENDING, NODE, "{{node}} {{gpu}}: pending"),
                of_each_gpu(dcgm.REMAP_FAILED, NODE, "{{node}} {{gpu}}: failed"),
            ),
            limit=Limit(1),
        ),
        Panel(
            title="Errors of NVLink",
            kind=Kind.TIME_SERIES,
            queries=(
                grown_of_each_gpu(dcgm.NVLINK_FLIT_ERRORS, NODE, "flow control"),
                grown_of_each_gpu(dcgm.NVLINK_DATA_ERRORS, NODE, "data"),
                grown_of_each_gpu(dcgm.NVLINK_REPLAYS, NODE, "retries"),
                grown_of_each_gpu(dcgm.NVLINK_RECOVERIES, NODE, "recoveries"),
            ),
            unit=Unit.PER_SECOND,
        ),
        Panel(
            title="Retries on PCIe",
            kind=Kind.TIME_SERIES,
            queries=(grown_of_each_gpu(dcgm.PCIE_REPLAYS, NODE, "retries"),),
            unit=Unit.PER_SECOND,
        ),
    ),
)

NODES = Dashboard(
    name="node",
    title="GPU node",
    description=__doc__,
    variables=(variables.POOL, variables.NODE),
    rows=(_GPUS, _WORK, _HEAT, _ERRORS),
)
