"""The conditions that the detector sets on nodes; each is True while something is wrong."""

from gpus.platform_names import LABEL_PREFIX

GPU_NOT_READY = f"{LABEL_PREFIX}/GpuNotReady"
"""The node lacks GPUs that its pool promises."""
