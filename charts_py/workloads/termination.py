"""What happens to pods between SIGTERM and their end."""

from charts_py.workloads.reason import Tree, because

GRACE = 120
"""Seconds from SIGTERM to SIGKILL: EC2 takes a spot node as long after its notice
(https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html)."""
SHUTDOWN = 100
"""Seconds that torchrun leaves its processes, within the grace."""


def grace_period() -> dict[str, Tree]:
    """Return the time that a pod has for its last checkpoint."""
    why = "time for a checkpoint after SIGTERM, when a node is drained or a job preempted"
    return {"terminationGracePeriodSeconds": because(GRACE, why)}


def shutdown_timeout() -> Tree:
    """Return the variable by which torchrun leaves its processes that time.

    https://github.com/pytorch/pytorch/issues/68258
    """
    variable = {"name": "TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "value": str(SHUTDOWN)}
    return because(
        variable,
        f"torchrun kills its processes 30 s after SIGTERM otherwise; below the grace of {GRACE} s",
    )
