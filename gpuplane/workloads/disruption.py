"""What a Job makes of pods that were taken from it."""

from gpuplane.workloads.reason import Tree, because


def disruptions_ignored() -> dict[str, Tree]:
    """Return the field by which a Job starts them again, and counts no failure."""
    return on_disruption("Ignore", "a pod that was evicted or preempted is no failure of its own")


def on_disruption(action: str, why: str) -> dict[str, Tree]:
    """Return the field by which a Job does something else than to count a failure."""
    condition = {"type": "DisruptionTarget", "status": "True"}
    rule = {"action": action, "onPodConditions": [condition]}
    return {"podFailurePolicy": because({"rules": [rule]}, why)}
