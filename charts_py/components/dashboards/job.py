"""The pods of a workload: what they hold, how busy they keep it, and what that costs."""

from charts_py.components.dashboards import links, notes, variables
from charts_py.components.dashboards.queries import PODS, USING_PODS, of_each_gpu, total
from charts_py.grafana.dashboard import Dashboard, Row
from charts_py.grafana.panel import Kind, Limit, Panel
from charts_py.grafana.query import Query
from charts_py.grafana.unit import Unit
from charts_py.metrics import amd, dcgm
from charts_py.metrics.joins import PRICED
from charts_py.metrics.recorded import GPU_HOUR_PRICE, GPU_SIZE, GPU_USED, POD_ALLOCATED

_USED = f"{GPU_USED.name}{{{PODS}}} * {GPU_SIZE.name}{{{PODS}}}"
_POD_OF_GPU = "{{exported_pod}} {{gpu}} {{GPU_I_ID}}"
_GPUS = Row(
    "GPUs",
    (
        Panel(
            title="GPUs",
            kind=Kind.STAT,
            queries=(
                total(POD_ALLOCATED, "Held", PODS),
                Query(f"sum ({_USED})", "Used", (GPU_USED, GPU_SIZE)),
            ),
            note=notes.SHARED_GPUS,
            width=8,
        ),
        Panel(
            title="Pods with GPUs",
            kind=Kind.STAT,
            queries=(
                Query(
                    f"count (count by (pod) ({POD_ALLOCATED.name}{{{PODS}}}))",
                    "Pods",
                    (POD_ALLOCATED,),
                ),
            ),
            width=8,
        ),
        Panel(
            title="Cost",
            kind=Kind.STAT,
            queries=(
                Query(
                    f"sum by (currency) ({POD_ALLOCATED.name}{{{PODS}}} {PRICED})",
                    "{{currency}}",
                    (POD_ALLOCATED, GPU_HOUR_PRICE),
                ),
            ),
            unit=Unit.PER_HOUR,
            note="What an hour of them costs.",
            width=8,
        ),
        Panel(
            title="Pods",
            kind=Kind.TABLE,
            queries=(
                total(POD_ALLOCATED, "GPUs held", PODS, by="pod, node, pool"),
                Query(f"sum by (pod, node, pool) ({_USED})", "GPUs used", (GPU_USED, GPU_SIZE)),
            ),
            links=(links.NODE, links.POOL),
        ),
    ),
)

_WORK = Row(
    "Work",
    (
        Panel(
            title="Time in which GPUs were busy, by pod",
            kind=Kind.TIME_SERIES,
            queries=(Query(f"avg by (pod) ({GPU_USED.name}{{{PODS}}})", "{{pod}}", (GPU_USED,)),),
            unit=Unit.RATIO,
            note="One pod below all others holds up the rest of a training.",
        ),
        *(
            Panel(
                title=title,
                kind=Kind.TIME_SERIES,
                queries=(of_each_gpu(counter, USING_PODS, _POD_OF_GPU, also_by="exported_pod"),),
                unit=Unit.RATIO,
            )
            for title, counter in (
                ("Tensor pipes", dcgm.TENSOR_ACTIVE),
                ("Multiprocessors", dcgm.SM_ACTIVE),
                ("Interface of the memory", dcgm.MEMORY_ACTIVE),
            )
        ),
        *(
            Panel(
                title=title,
                kind=Kind.TIME_SERIES,
                queries=tuple(
                    of_each_gpu(
                        counter,
                        USING_PODS,
                        f"{{{{exported_pod}}}} {{{{gpu}}}}: {way}",
                        also_by="exported_pod",
                    )
                    for counter, way in counters
                ),
                unit=Unit.BYTES_PER_SECOND,
            )
            for title, counters in (
                ("NVLink", ((dcgm.NVLINK_SENT, "sent"), (dcgm.NVLINK_RECEIVED, "received"))),
                ("PCIe", ((dcgm.PCIE_SENT, "sent"), (dcgm.PCIE_RECEIVED, "received"))),
            )
        ),
    ),
)

_HEALTH = Row(
    "Its GPUs",
    (
        Panel(
            title="Temperature",
            kind=Kind.TIME_SERIES,
            queries=(
                of_each_gpu(
                    dcgm.TEMPERATURE, USING_PODS, "{{exported_pod}} {{gpu}}", "exported_pod"
                ),
                of_each_gpu(
                    amd.TEMPERATURE, USING_PODS, "{{exported_pod}} {{gpu_id}}", "exported_pod"
                ),
            ),
            unit=Unit.CELSIUS,
        ),
        Panel(
            title="XID errors",
            kind=Kind.TIME_SERIES,
            queries=(
                of_each_gpu(
                    dcgm.XIDS,
                    USING_PODS,
                    "{{exported_pod}} {{gpu}}: XID {{xid}}",
                    also_by="exported_pod, xid",
                ),
            ),
            limit=Limit(1),
        ),
    ),
)

JOBS = Dashboard(
    name="job",
    title="GPU job",
    description=__doc__,
    variables=(variables.NAMESPACE, variables.WORKLOAD, variables.POD),
    rows=(_GPUS, _WORK, _HEALTH),
)
