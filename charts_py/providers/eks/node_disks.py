"""The disks of nodes on EKS: a root volume, and what the machine has of local NVMe."""

from charts_py.cluster_file.driver import DriverOwner
from charts_py.platform.platform import Platform, PlatformPool

ROOT_VOLUME_GIB = 200
"""Size of the root volume in GiB: images of training frameworks take 10 to 20 GB each."""

JOINED = "RAID0"
"""What nodeadm and Karpenter call joining the local disks into one file system.

https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/#localstoragestrategy
"""

_FOR_PODS = 0.85
"""Of a disk: the kubelet keeps a tenth free (`nodefs.available`), and its reserve of 1 GiB
(https://github.com/awslabs/amazon-eks-ami nodeadm/internal/kubelet/config.go) and the file system
take less than the rest."""


def joins_local_disks(pool: PlatformPool, platform: Platform) -> bool:
    """Return whether pods, images and logs are on the local disks, joined at boot.

    Amazon Linux can do that, which is the image unless the GPU operator owns the driver.
    """
    return pool.hardware.local_nvme_gib > 0 and platform.driver_owner is DriverOwner.IMAGE


def disk_for_pods_gib(pool: PlatformPool, platform: Platform) -> int:
    """Return the GiB that a node offers as `ephemeral-storage`, rounded down."""
    is_joined = joins_local_disks(pool, platform)
    disk = pool.hardware.local_nvme_gib if is_joined else ROOT_VOLUME_GIB
    return int(disk * _FOR_PODS)
