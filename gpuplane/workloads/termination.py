"""What happens to pods between SIGTERM and their end."""

from charts_py.platform.training_runtime import GRACE_SECONDS
from gpuplane.workloads.reason import Tree, because

SHUTDOWN = 100
"""Seconds that torchrun leaves its processes, within the grace."""


def grace_period() -> dict[str, Tree]:
    """Return the time that a pod has for its last checkpoint."""
    why = "time for a checkpoint after SIGTERM, when a node is drained or a job preempted"
    return {"terminationGracePeriodSeconds": because(GRACE_SECONDS, why)}


def shutdown_timeout() -> Tree:
    """Return the variable by which torchrun leaves its processes that time.

    https://github.com/pytorch/pytorch/issues/68258
    """
    variable = {"name": "TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "value": str(SHUTDOWN)}
    return because(
        variable,
        "torchrun kills its processes 30 s after SIGTERM otherwise; below the grace of "
        f"{GRACE_SECONDS} s",
    )
