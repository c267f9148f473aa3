"""The GPU driver, and GPU models and instance types that the tables lack."""

import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from charts_py.cluster_file.quantity import HardwareMemory
from charts_py.cluster_file.strict_model import (
    MAX_ADDRESSES_PER_INTERFACE,
    MAX_BYTES,
    MAX_CPUS_PER_NODE,
    MAX_GPUS_PER_NODE,
    MAX_INTERFACES_PER_NODE,
    MAX_NETWORK_CARDS,
    MAX_NODES,
    Refused,
    StrictModel,
    added_later,
)
from charts_py.cluster_file.text_forms import LabelValue
from gpus import model
from gpus.instance_type import Interconnect
from gpus.provider import Provider

_MINUTES_OF_A_MONTH = 31 * 24 * 60


_SOME_NODES = r"^([1-9][0-9]{0,4}|[1-9][0-9]?%|100%)$"


def _some_nodes(given: Any) -> Any:
    """Return a number of nodes, or a percentage of them, as text; refuse one that is none."""
    if isinstance(given, bool) or not isinstance(given, (int, str)):
        return given
    text = str(given)
    if re.fullmatch(_SOME_NODES, text):
        return text
    what = (
        f"{text}, with which no driver is ever replaced"
        if _is_zero(text)
        else f'"{text}" has the wrong format'
    )
    close = re.fullmatch(r"([1-9][0-9]?|100)(?:\.0+)?\s*(?:%|percent)", text.strip())
    allowed = "a number of nodes such as 1, or 1% to 100% of them"
    raise Refused(what, allowed, (f"{close[1]}%",) if close else ())


def _is_zero(text: str) -> bool:
    return re.fullmatch(r"0+(\.0*)?\s*%?", text) is not None


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


class DriverUpgrade(StrictModel):
    """How the GPU operator replaces the driver of nodes that run, those of all pools as one."""

    max_parallel_upgrades: int | None = Field(default=None, ge=1, le=MAX_NODES)
    """Nodes whose driver is replaced at the same time. By default a tenth of those that the pools
    can have, and a twentieth where a namespace with GPUs of them has the purpose `inference`; one
    at least."""
    max_unavailable: Annotated[
        str,
        BeforeValidator(_some_nodes),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "string", "pattern": _SOME_NODES, "examples": ["25%"]},
                    {"type": "integer", "minimum": 1, "maximum": MAX_NODES},
                ]
            }
        ),
    ] = "25%"
    """Nodes that may be unavailable meanwhile, for whatever reason: a number, or a percentage of
    those that run. Where so many are, no other one is begun."""
    job_timeout_minutes: int | None = Field(default=None, ge=0, le=_MINUTES_OF_A_MONTH)
    """Minutes that a cordoned node waits for its training and batch pods to end; then they are
    evicted, too. 0 waits without a limit. By default 1440 where a namespace with GPUs of the pools
    has the purpose `training`, 360 where one has `batch`, and else 60."""


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
    of all pools: `gpuplane hardware` lists what drives each model. Another version is installed as
    `upgrade` says; GPU pods are evicted first, and start elsewhere if they have a controller."""
    kernel_module: KernelModule = KernelModule.AUTO
    """Kernel module, where the operator owns the driver; by default the one that the driver
    recommends for the GPU. For RDMA with `proprietary`, the machines must have MLNX_OFED or
    DOCA-OFED; with `open`, Linux 5.12 or later."""
    upgrade: DriverUpgrade = added_later(DriverUpgrade())
    """How another driver reaches nodes that run, where the operator owns it."""


class GpuVendor(StrEnum):
    """A maker of GPUs."""

    NVIDIA = model.NVIDIA
    AMD = model.AMD
    INTEL = model.INTEL
    GAUDI = model.GAUDI


class HostArchitecture(StrEnum):
    """A CPU architecture, as `kubernetes.io/arch` names it."""

    AMD64 = "amd64"
    ARM64 = "arm64"


class DescribedModel(StrictModel):
    """A GPU model that `gpuplane hardware` does not list. Pools name it like any other."""

    vendor: GpuVendor
    """Its maker."""
    architecture: str = Field(min_length=1, examples=["ampere"])
    """Its architecture: one that a listed model of the vendor has, or an older one, back to
    `kepler`; for AMD also `rdna2` to `rdna4`."""
    product: Annotated[LabelValue, Field(examples=["NVIDIA-RTX-A6000"])]
    """What the vendor's node label names it: `nvidia.com/gpu.product` for NVIDIA, such as
    `NVIDIA-RTX-A6000`."""
    memory: HardwareMemory
    """Device memory of one GPU, which is one allocation."""
    pci_device: str = Field(pattern=r"^[0-9a-f]{4}$", examples=["2230"])
    """PCI device identifier (https://pci-ids.ucw.cz), quoted."""
    family: str | None = Field(
        default=None, pattern=r"^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$", examples=["rtx-a6000"]
    )
    """The word that stands for all its form factors on node labels; defaults to the name in lower
    case."""
    nvlink: bool = False
    """Whether the GPUs of one node talk over NVLink or NVSwitch."""
    mps: bool = True
    """Whether NVIDIA's device plugin can share it by MPS."""
    mig: str | None = None
    """A listed model that is partitioned in the same way, by the same names; without it, it cannot
    be partitioned."""
    resource: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",
        examples=["gpu.intel.com/xe"],
    )
    """Extended resource that the vendor's device plugin advertises for it; defaults to the vendor's
    usual one. Intel's plugin has two, `gpu.intel.com/i915` and `gpu.intel.com/xe`, by the kernel
    driver of the GPU."""
    host_architecture: HostArchitecture = HostArchitecture.AMD64
    """CPU architecture of the machines that carry it."""


class DescribedInstanceType(StrictModel):
    """An instance type that `gpuplane hardware` does not list. Pools name it like any other."""

    gpu: str
    """GPU model, listed or described."""
    gpus: int = Field(ge=1, le=MAX_GPUS_PER_NODE)
    """GPUs of one machine."""
    cpu: int = Field(ge=1, le=MAX_CPUS_PER_NODE)
    """Virtual CPUs."""
    memory: HardwareMemory
    """Memory of one machine."""
    accelerator: str | None = added_later(None)
    """What GKE calls the GPU, such as `nvidia-gb300`; required there for a model that GKE has on no
    listed machine."""
    interconnect: Interconnect = Interconnect.ETHERNET
    """Fastest network that its GPUs reach those of other machines over."""
    interconnect_interfaces: int = Field(default=0, ge=0, le=MAX_INTERFACES_PER_NODE)
    """Interfaces of that network, such as EFA devices; required unless it is `ethernet`."""
    interconnect_first_card: int = Field(default=0, ge=0, le=MAX_NETWORK_CARDS - 1)
    """The first network card that has one of them (EKS)."""
    local_nvme_gib: int = Field(default=0, ge=0, le=MAX_BYTES // 2**30)
    """Size of all local NVMe disks together, in GiB."""
    pod_interfaces: int = Field(default=0, ge=0, le=MAX_INTERFACES_PER_NODE)
    """Network interfaces of the first network card (EKS). With `interfaceAddresses` it bounds the
    pods of a node; otherwise `maxPods` alone does."""
    interface_addresses: int = Field(default=0, ge=0, le=MAX_ADDRESSES_PER_INTERFACE)
    """IPv4 addresses of each of them (EKS)."""


class Hardware(StrictModel):
    """Hardware that the tables lack, stated once and usually in `fleet.yaml`."""

    models: dict[str, DescribedModel] = Field(default_factory=dict)
    """GPU models by name."""
    instance_types: dict[Provider, dict[str, DescribedInstanceType]] = Field(default_factory=dict)
    """Instance types of a cloud, by provider and name."""
