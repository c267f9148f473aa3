"""Parts of the platform that a cluster may have or not."""

from pydantic import Field

from charts_py.spec.strict_model import StrictModel
from charts_py.spec.text_forms import NamespaceName


class Monitoring(StrictModel):
    """Where metrics are scraped from."""

    namespace: NamespaceName = "monitoring"
    """Namespace of Prometheus, let in to the teams' metrics ports."""
    service_monitors: bool = True
    """Emit ServiceMonitors; needs the Prometheus operator."""
    interval: str = Field(default="15s", pattern=r"^[1-9][0-9]*(s|m)$", examples=["15s"])
    """How often GPU metrics are scraped."""


class Addons(StrictModel):
    """Parts of the platform that a cluster may have or not."""

    monitoring: Monitoring = Monitoring()
    """Scraping of the metrics of GPUs and teams."""
    gdrcopy: bool = False
    """Load the GDRCopy kernel module: low-latency copies from GPU memory; needs a driver that the
    operator owns."""
    gpudirect_storage: bool = False
    """Load the GPUDirect Storage kernel module; needs a driver that the operator owns."""
    efa_device_plugin: bool = True
    """Install the EFA device plugin where a pool's interconnect is `efa`."""
    node_readiness: bool = False
    """Keep pods off a node until device plugins advertise what its pool promises; needs Karpenter,
    whose nodes it replaces."""
