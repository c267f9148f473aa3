"""Who installs the GPU driver."""

from enum import StrEnum

from pydantic import Field

from charts_py.cluster_file.strict_model import StrictModel


class DriverOwner(StrEnum):
    """Who installs the driver on a node; two owners on one node break it."""

    MANAGED = "managed"
    IMAGE = "image"
    OPERATOR = "operator"


class KernelModule(StrEnum):
    """Flavour of the NVIDIA kernel module."""

    AUTO = "auto"
    OPEN = "open"
    PROPRIETARY = "proprietary"


class Driver(StrictModel):
    """Who installs the driver, and which."""

    owner: DriverOwner | None = None
    """`managed`: the cloud does (on GKE and AKS, always); `image`: the node image carries it
    (default on EKS, whose accelerated AMIs do); `operator`: the GPU operator does (default
    on-prem)."""
    version: str | None = Field(
        default=None, pattern=r"^[0-9]{3}(\.[0-9]+){1,2}$", examples=["595.91.07"]
    )
    """Driver version, where the operator owns it; defaults to the chart's. It must drive the GPUs
    of all pools: `gpuplane hardware` lists what drives each model. Another version is installed on
    one node at a time, when its training and batch pods have finished; other GPU pods are evicted,
    and start elsewhere if they have a controller."""
    kernel_module: KernelModule = KernelModule.AUTO
    """Kernel module, where the operator owns the driver; by default the one that the driver
    recommends for the GPU. For RDMA with `proprietary`, the machines must have MLNX_OFED or
    DOCA-OFED; with `open`, Linux 5.12 or later."""
