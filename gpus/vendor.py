"""Makers of GPUs and the names under which Kubernetes knows their devices."""

from dataclasses import dataclass

NVIDIA = "nvidia"
AMD = "amd"
INTEL = "intel"
GAUDI = "gaudi"


@dataclass(frozen=True, slots=True)
class Vendor:
    """A maker of GPUs."""

    name: str
    resource: str
    """The extended resource that the vendor's device plugin advertises for one whole GPU."""
    taint_key: str
    """The key of the taint that keeps other pods off nodes with this vendor's GPUs."""
    pci_vendor: str
    """The PCI vendor identifier, four lower-case hexadecimal digits."""
    device_classes: tuple[str, ...] = ()
    """The device classes of its GPUs and of parts of them, which the vendor's driver for Dynamic
    Resource Allocation brings."""
    other_resources: tuple[str, ...] = ()
    """The extended resources that the plugin advertises for whole GPUs in place of `resource`."""
    devices_variable: str | None = None
    """The environment variable of a container that says to the vendor's container runtime which
    devices it takes; None where no runtime reads one."""
    no_devices: tuple[str, ...] = ()
    """The values of that variable that give none; the first is the one to set."""
