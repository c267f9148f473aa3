"""The disks of nodes on EKS: a root volume, and what the machine has of local NVMe."""

from charts_py.platform.platform import Platform, PlatformPool
from charts_py.spec.driver import DriverOwner

ROOT_VOLUME_GIB = 200
"""Size of the root volume in GiB: images of training frameworks take 10 to 20 GB each."""

JOINED = "RAID0"
"""What nodeadm and Karpenter call joining the local disks into one file system.

https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/#localstoragestrategy
"""


def joins_local_disks(pool: PlatformPool, platform: Platform) -> bool:
    """Tell whether pods, images and logs are on the local disks, joined at boot.

    Amazon Linux can do that, which is the image unless the GPU operator owns the driver.
    """
    return pool.hardware.local_nvme_gib > 0 and platform.driver_owner is DriverOwner.IMAGE
