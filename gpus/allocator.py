"""A node's device plugin, or Dynamic Resource Allocation (DRA), gives its GPUs to pods.

Never both on one node: each counts the GPUs as if the other were not there. So the labels by which
their daemons choose nodes exclude each other.
https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu
"""

from collections.abc import Iterator
from enum import StrEnum

from gpus.model import NVIDIA, GpuModel
from gpus.sharing import Sharing, SharingKind


class Allocator(StrEnum):
    """What gives the GPUs of a pool's nodes to pods."""

    DEVICE_PLUGIN = "device-plugin"
    """The kubelet, which counts what a device plugin advertises."""
    DRA = "dra"
    """The scheduler, which chooses among the devices that a DRA driver publishes."""


GPU_DEVICE_CLASS = "gpu.nvidia.com"
"""The DeviceClass of whole NVIDIA GPUs. It stands for `nvidia.com/gpu` on nodes that advertise none
(https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu, templates/deviceclass-gpu.yaml)."""

DEVICE_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"
"""With the name of a DeviceClass behind it, the resource by which containers ask for its devices
(`ResourceDeviceClassPrefix` in https://github.com/kubernetes/api, resource/v1/types.go)."""

DEVICE_PLUGIN_LABEL = "nvidia.com/gpu.deploy.device-plugin"
"""Node label: `true` where the GPU operator runs its device plugin. The operator sets it, unless
there is a value already (https://github.com/NVIDIA/gpu-operator, `addGPUStateLabels` in
controllers/state_manager.go at v26.7.0)."""

DRA_DRIVER_LABEL = "nvidia.com/dra-kubelet-plugin"
"""Node label: `true` where the DRA driver runs."""


def device_class_resource(device_class: str) -> str:
    return f"{DEVICE_CLASS_PREFIX}{device_class}"


def allocator_labels(allocator: Allocator) -> Iterator[tuple[str, str]]:
    """Yield the labels that keep one allocator's daemon on a node of NVIDIA GPUs and the other off.

    A device plugin's node needs none: the operator labels it.
    """
    if allocator is Allocator.DRA:
        yield DEVICE_PLUGIN_LABEL, "false"
        yield DRA_DRIVER_LABEL, "true"


def allocator_problems(allocator: Allocator, sharing: Sharing, model: GpuModel) -> tuple[str, ...]:
    """Return a sentence for each reason why the GPUs cannot be given out in that way.

    A driver allocates shared GPUs and MIG instances only to claims that say how, and finds MIG
    instances only when it starts:
    https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu (site/content/docs/guides at v0.4.1)
    """
    if allocator is Allocator.DEVICE_PLUGIN:
        return ()
    if model.vendor != NVIDIA:
        return (f"{model.name} is a GPU of {model.vendor}; DRA drivers are for {NVIDIA} alone",)
    if sharing.kind is not SharingKind.NONE:
        return (f"DRA allocates whole GPUs alone, and these are shared by {sharing.kind}",)
    return ()
