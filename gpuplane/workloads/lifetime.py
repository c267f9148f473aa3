"""How long workloads run, how they end, and how long they are kept."""

from charts_py.platform.training_runtime import GRACE_SECONDS
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request

SHUTDOWN = 100
"""Seconds that torchrun leaves its processes, within the grace."""
_KEPT = 86400
"""Seconds: a day, in which one can still read what became of it."""


def deadline(request: Request) -> dict[str, Tree]:
    """Return the field that ends a job, or a pod."""
    why = f"ended after {request.hours} hours, so that what hangs does not hold GPUs for ever"
    return {"activeDeadlineSeconds": because(request.seconds, why)}


def kept_for_its_log() -> dict[str, Tree]:
    """Return the field by which a Job makes another pod in place of one that failed."""
    why = "a pod that failed stays, so that its log can be read"
    return {"restartPolicy": because("Never", why)}


def kept() -> dict[str, Tree]:
    """Return the field that removes a job that has ended."""
    why = "removed a day after its end, with its pods and their logs"
    return {"ttlSecondsAfterFinished": because(_KEPT, why)}


def disruptions_ignored() -> dict[str, Tree]:
    """Return the field by which a Job starts them again, and counts no failure."""
    return on_disruption("Ignore", "a pod that was evicted or preempted is no failure of its own")


def on_disruption(action: str, why: str) -> dict[str, Tree]:
    """Return the field by which a Job does something else than to count a failure."""
    condition = {"type": "DisruptionTarget", "status": "True"}
    rule = {"action": action, "onPodConditions": [condition]}
    return {"podFailurePolicy": because({"rules": [rule]}, why)}


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
