"""How long workloads run, and are kept."""

from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request

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
