"""How long workloads run, how they end, and how long they are kept."""

from charts_py.platform.fabric import GRACE_SECONDS
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

_KEPT = 86400
"""Seconds: a day, in which one can still read what became of it."""


def deadline(request: Request) -> dict[str, Tree]:
    why = f"ended after {request.hours} hours, so that what hangs does not hold GPUs for ever"
    return {"activeDeadlineSeconds": Because(request.seconds, why)}


def kept_for_its_log() -> dict[str, Tree]:
    why = "a pod that failed stays, so that its log can be read"
    return {"restartPolicy": Because("Never", why)}


def kept() -> dict[str, Tree]:
    why = "removed a day after its end, with its pods and their logs"
    return {"ttlSecondsAfterFinished": Because(_KEPT, why)}


def disruptions_ignored() -> dict[str, Tree]:
    return on_disruption("Ignore", "a pod that was evicted or preempted is no failure of its own")


def on_disruption(action: str, why: str) -> dict[str, Tree]:
    condition = {"type": "DisruptionTarget", "status": "True"}
    rule = {"action": action, "onPodConditions": [condition]}
    return {"podFailurePolicy": Because({"rules": [rule]}, why)}


def grace_period() -> dict[str, Tree]:
    why = "time for a checkpoint after SIGTERM, when a node is drained or a job preempted"
    return {"terminationGracePeriodSeconds": Because(GRACE_SECONDS, why)}
