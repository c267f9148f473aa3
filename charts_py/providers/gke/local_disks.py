"""The local disks of a machine on GKE."""

from charts_py.platform.hardware import NodeHardware

_DISK_GIB = 375
_DISK_GIB_OF_RACKS = 3000
"""Sizes of one disk of machines that no table lists, as the table has those of others."""


def local_disks(hardware: NodeHardware) -> int:
    """Return how many there are; a node pool with another number is never made."""
    is_rack = hardware.model.nvlink_domain is not None
    listed = hardware.machine.local_disk_gib if hardware.machine else 0
    return hardware.local_nvme_gib // (listed or (_DISK_GIB_OF_RACKS if is_rack else _DISK_GIB))
