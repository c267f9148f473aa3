"""Optional parts of the platform."""

from pydantic import Field

from charts_py.spec.strict_model import StrictModel
from charts_py.spec.text_forms import NamespaceName


class Monitoring(StrictModel):
    """Where metrics are scraped from."""

    namespace: NamespaceName = "monitoring"
    """Namespace of Prometheus, which may reach the teams' metrics ports."""
    service_monitors: bool = True
    """Emit ServiceMonitors and PrometheusRules; needs the Prometheus operator, and for alerts on
    nodes kube-state-metrics."""
    interval: str = Field(default="15s", pattern=r"^[1-9][0-9]*(s|m)$", examples=["15s"])
    """How often GPU metrics are scraped."""


class Addons(StrictModel):
    """Optional parts of the platform."""

    monitoring: Monitoring = Monitoring()
    """How the metrics of GPUs and teams are scraped."""
    gdrcopy: bool = False
    """Load the GDRCopy kernel module, for low-latency copies from GPU memory. The GPU operator must
    own the driver."""
    gpudirect_storage: bool = False
    """Load the GPUDirect Storage kernel module. The GPU operator must own the driver."""
    efa_device_plugin: bool = True
    """Install the EFA device plugin where a pool's interconnect is `efa`."""
    node_readiness: bool = False
    """Keep pods off a node until device plugins advertise what its pool promises; needs Karpenter,
    whose nodes it replaces."""
