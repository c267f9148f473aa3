"""What the GPU operator finds on a node by provider and driver owner: toolkit, runtime, paths."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from charts_py.platform.platform import Platform
from charts_py.spec.driver import DriverOwner
from charts_py.spec.provider import Provider


@dataclass(frozen=True, slots=True)
class GpuHost:
    """A GPU node before the operator's daemons run on it."""

    toolkit: Mapping[str, Any] = field(default_factory=lambda: {"enabled": True})
    """Values of NVIDIA's container toolkit. The operator's works beside one that is there."""
    runtime_class: str = "nvidia"
    """Name of containerd's runtime that the toolkit sets up."""
    driver_folder: str | None = None
    """Where the driver is, unless it is in the host's usual folders or the operator's own."""


_GKE_FOLDER = "/home/kubernetes/bin/nvidia"
"""Where Google's installer puts the driver; most of Container-Optimized OS is read-only."""

_HOSTS: Mapping[tuple[Provider, DriverOwner], GpuHost] = {
    # https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-optimized-ami.html
    (Provider.EKS, DriverOwner.IMAGE): GpuHost(toolkit={"enabled": False}),
    # https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/microsoft-aks.html
    (Provider.AKS, DriverOwner.MANAGED): GpuHost(
        toolkit={"enabled": False}, runtime_class="nvidia-container-runtime"
    ),
    # https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/google-gke.html; without
    # the variable the toolkit breaks containerd's configuration on GKE 1.33 and later.
    (Provider.GKE, DriverOwner.MANAGED): GpuHost(
        toolkit={
            "enabled": True,
            "installDir": _GKE_FOLDER,
            "env": [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}],
        },
        driver_folder=_GKE_FOLDER,
    ),
}


def gpu_host_of(platform: Platform) -> GpuHost:
    """Return what the nodes of a platform bring."""
    return _HOSTS.get((platform.cluster.provider, platform.driver_owner), GpuHost())
