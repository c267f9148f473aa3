"""What daemons find on a GPU node: toolkit, runtime, paths."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DEVICE_PLUGIN_FOLDER = "/var/lib/kubelet/device-plugins"
"""Where the kubelet listens for device plugins, and keeps what they advertise
(https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/)."""


@dataclass(frozen=True, slots=True)
class GpuHost:
    """A GPU node before the operator's daemons run on it."""

    toolkit: Mapping[str, Any] = field(default_factory=lambda: {"enabled": True})
    """Values of NVIDIA's container toolkit. The operator's works alongside an installed one."""
    runtime_class: str = "nvidia"
    """Name of containerd's runtime that the toolkit sets up."""
    driver_folder: str | None = None
    """Where the driver is, unless it is in the host's usual folders or the operator's own."""
