"""What a node starts with, and the condition under which it is taken off."""

from gpus.platform_names import LABEL_PREFIX
from gpus.taint import NO_SCHEDULE, Taint

STARTUP_TAINT = Taint("readiness.k8s.io/gpu-not-ready", "true", NO_SCHEDULE)
"""The readiness controller takes no key without this prefix
(https://github.com/kubernetes-sigs/node-readiness-controller, api/v1alpha1 at v0.5.0)."""

CONDITION = f"{LABEL_PREFIX}/GpuNotReady"
"""Condition of a node: True while it lacks GPUs that its pool promises."""

DETECTOR_NAME = "node-problem-detector"
"""Name of its chart and of its namespace; its Applications have the pool's name behind it."""
CONTROLLER_NAME = "node-readiness-controller"
"""Name of its chart, its namespace and its Application."""
