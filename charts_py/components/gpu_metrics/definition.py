"""What Google's managed collection scrapes of the GPUs.

The GPU operator brings a ServiceMonitor of its DCGM exporter, which needs the Prometheus operator.
Where Google's collectors scrape instead, a PodMonitoring stands beside it.
"""

from charts_py.components.definition import Definition
from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.components.scrape_target import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from charts_py.spec.addons import Prometheus
from gpus.vendor import NVIDIA

_EXPORTER = "nvidia-dcgm-exporter"

# https://github.com/NVIDIA/gpu-operator, assets/state-dcgm-exporter at v26.7.0.
_TARGET = ScrapeTarget(_EXPORTER, NAMESPACE, {"app": _EXPORTER}, port="metrics")


def _is_wanted(platform: Platform) -> bool:
    is_managed = platform.monitoring.prometheus is Prometheus.GOOGLE_MANAGED
    return is_managed and bool(platform.pools_of(NVIDIA))


GPU_METRICS = Definition(
    name="gpu-metrics",
    description=__doc__,
    appears="with NVIDIA GPUs, where Google's managed collection scrapes",
    is_wanted=_is_wanted,
    fields=(
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
        "addons.monitoring.interval",
    ),
    depends_on=("gpu-operator",),
    # Last: where managed collection is missing, nothing else waits for it.
    wave=Wave.EXTENSIONS,
    namespace=NAMESPACE,
    # Its objects are those of what is scraped.
    construct=lambda _: lambda _: None,
    scraped=lambda _: (_TARGET,),
)
