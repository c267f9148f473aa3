"""How long workloads run, how they end, and how long they are kept."""

from collections.abc import Iterator, Mapping

from charts_py.platform.fabric import GRACE_SECONDS
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

KEPT: Mapping[str, Tree] = {
    "ttlSecondsAfterFinished": Because(
        86400, "removed a day after its end, with its pods and their logs"
    )
}
KEPT_FOR_ITS_LOG: Mapping[str, Tree] = {
    "restartPolicy": Because("Never", "a pod that failed stays, so that its log can be read")
}
GRACE_PERIOD: Mapping[str, Tree] = {
    "terminationGracePeriodSeconds": Because(
        GRACE_SECONDS,
        "time for a checkpoint after SIGTERM, when a node is drained or a job preempted",
    )
}


def deadline(request: Request) -> dict[str, Tree]:
    why = f"ended after {request.hours} hours, so that what hangs does not hold GPUs for ever"
    return {"activeDeadlineSeconds": Because(request.hours * 3600, why)}


def spot_notes(request: Request) -> Iterator[str]:
    """Yield that a spot node is gone before the pods are killed."""
    seconds = request.platform.provider.spot_notice
    if request.pool.facts.spot_taint and seconds is not None and seconds < GRACE_SECONDS:
        yield (
            f"a spot node of {request.platform.cluster.provider.value} is gone {seconds} seconds "
            "after its pods get SIGTERM: a checkpoint that takes longer has to be written before"
        )


def on_disruption(action: str, why: str) -> dict[str, Tree]:
    condition = {"type": "DisruptionTarget", "status": "True"}
    rule = {"action": action, "onPodConditions": [condition]}
    return {"podFailurePolicy": Because({"rules": [rule]}, why)}


def disruptions_ignored(request: Request) -> dict[str, Tree]:
    if request.platform.counts_evictions(request.pool):
        return {}
    return on_disruption("Ignore", "a pod that was evicted or preempted is no failure of its own")


def so_counted(request: Request) -> str:
    """Return what to say beside a limit of failures that counts evictions, too."""
    counts = request.platform.counts_evictions(request.pool)
    return "; one evicted from a broken node counts, as it may have broken it" if counts else ""
