"""The local disks of a machine on GKE."""

from charts_py.platform.hardware import NodeHardware

_DISK_GIB = 375
_DISK_GIB_OF_RACKS = 3000
"""Size of one (https://cloud.google.com/compute/docs/disks/local-ssd). Those of A4X are 4:
https://github.com/GoogleCloudPlatform/cluster-autoscaler at 7d25050,
pkg/cloudprovider/gke/machinetypes/deprecated_machine_types_config.go
"""


def local_disks(hardware: NodeHardware) -> int:
    """Return how many there are; a node pool with another number is never made."""
    is_rack = hardware.model.nvlink_domain is not None
    return hardware.local_nvme_gib // (_DISK_GIB_OF_RACKS if is_rack else _DISK_GIB)
