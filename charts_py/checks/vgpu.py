"""Virtual GPUs, whose driver comes with a licence."""

from collections.abc import Iterator

from charts_py.cluster_file.driver import DriverOwner
from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_vgpu(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of virtual GPUs that the operator would give a driver.

    Its driver is for physical GPUs; that of a virtual machine with a vGPU is in no public image:
    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/install-gpu-operator-vgpu.html
    """
    if draft.driver_owner is not DriverOwner.OPERATOR or not draft.has_driver_owner:
        return
    owners = [owner for owner in draft.provider.driver_owners if owner is not draft.driver_owner]
    for pool in draft.pools:
        if pool.hardware is not None and pool.hardware.model.vgpu:
            model = pool.hardware.model.name
            yield Problem(
                ("driver", "owner"),
                f"the GPU operator has no driver for {model}, the vGPU of pool {pool.name}",
                ", ".join(owners),
            )
