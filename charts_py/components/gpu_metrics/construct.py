"""The counters that are collected, as a ConfigMap."""

from constructs import Construct

from charts_py.cluster_file.addons import GpuCounters
from charts_py.components.gpu_metrics.counters_file import counters_config_map
from charts_py.objects.kube_object import add_document


class GpuMetrics(Construct):
    """The ConfigMap that NVIDIA's exporter reads what it collects from."""

    def __init__(self, scope: Construct, id: str, collected: GpuCounters) -> None:
        super().__init__(scope, id)
        add_document(self, counters_config_map(collected))
