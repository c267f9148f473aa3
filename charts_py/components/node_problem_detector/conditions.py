"""The conditions that the detector sets on nodes; each is True while something is wrong."""

from gpus.platform_names import LABEL_PREFIX

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
