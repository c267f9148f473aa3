"""An alert on nodes whose GPUs nobody measures: there all other alerts are silent."""

from charts_py.components.gpu_metrics.alerts.of_gpus import highest
from charts_py.metrics.dcgm import TEMPERATURE
from charts_py.metrics.kube_state import NODE_CAPACITY, NOT_READY
from charts_py.metrics.recorded import GPUS_PER_NODE, NODE_POOL, POOL_INFO
from charts_py.platform.alert import Alert, Severity
from gpus.allocator import Allocator
from gpus.vendor import NVIDIA

_ADVERTISED = f'{NODE_CAPACITY.name}{{resource=~"nvidia_com_(gpu|mig).*"}} > 0'
_BY_DRA = (
    f'{NODE_POOL.name} * on (pool) group_left () {POOL_INFO.name}{{vendor="{NVIDIA}"}}'
    f' and on (pool) {GPUS_PER_NODE.name}{{allocator="{Allocator.DRA}"}}'
)
"""What DRA allocates is not advertised; what is advertised has its driver."""

EXPORTER_ABSENT = Alert(
    name="GpuplaneGpuExporterAbsent",
    expression=f"max by (node) ({_ADVERTISED} or {_BY_DRA})"
    f" unless on (node) {highest(TEMPERATURE)} unless on (node) ({NOT_READY})",
    lasting="15m",
    severity=Severity.WARNING,
    summary="Nobody measures the GPUs of node {{ $labels.node }}: no other alert on them fires.",
    remedy="Look at the pod of nvidia-dcgm-exporter on that node, and at whether Prometheus reaches"
    " it. One that ends again and again says which counter it does not know.",
    source="15 minutes are more than a new node takes from its first GPU to its first metric. A"
    " node that is not Ready has an alert of its own.",
)

ALERTS = (EXPORTER_ABSENT,)
