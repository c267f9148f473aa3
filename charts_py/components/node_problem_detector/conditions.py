"""The conditions that the detector sets on nodes; each is True while something is wrong."""

from collections.abc import Iterable

from charts_py.platform.platform import Platform, PlatformPool
from gpus.platform_names import LABEL_PREFIX
from gpus.sharing import Sharing
from gpus.vendor import NVIDIA

BURN_IN_FOLDER = "/var/lib/gpuplane/burn-in"
"""On the node's disk: pods that a reboot starts again use the GPUs at once, beside any test."""
MOUNTED_BURN_IN_FOLDER = "/burn-in"
"""Where the scripts find it."""
GPU_NOT_READY = f"{LABEL_PREFIX}/GpuNotReady"
"""The node lacks GPUs that its pool promises."""
GPU_HARDWARE_FAULT = f"{LABEL_PREFIX}/GpuHardwareFault"
"""Since the node booted, its kernel has logged an error that a GPU has to be looked at for."""
GPU_DRIVER_FAULT = f"{LABEL_PREFIX}/GpuDriverFault"
"""Since the node booted, its kernel has logged an error that a GPU has to be reset for."""
GPU_BURN_IN_NOT_PASSED = f"{LABEL_PREFIX}/GpuBurnInNotPassed"
"""The node's GPUs have not passed their burn-in, or not yet."""
GPU_BURN_IN_FAILED = f"{LABEL_PREFIX}/GpuBurnInFailed"
"""They have failed it."""


def burnt_in(platform: Platform, pools: Iterable[PlatformPool]) -> tuple[PlatformPool, ...]:
    """Return those of the pools whose new nodes are tested; none where no burn-in is asked for."""
    if platform.cluster.addons.burn_in is None:
        return ()
    return tuple(pool for pool in pools if is_testable(pool.vendor, pool.facts.sharing))


def is_testable(vendor: str, sharing: Sharing) -> bool:
    """Return whether DCGM's diagnostics can test the GPUs of a pool.

    They refuse more than one GPU in MIG mode (`BuildCommonGpusList` in
    https://github.com/NVIDIA/DCGM, nvvs/src/NvidiaValidationSuite.cpp at v4.6.0), and the device
    plugin sets the compute mode of GPUs for MPS such that its daemon alone may use them
    (https://github.com/NVIDIA/k8s-device-plugin, cmd/mps-control-daemon/mps at v0.20.0).
    """
    return vendor == NVIDIA and not sharing.mig and sharing.mps == 1
