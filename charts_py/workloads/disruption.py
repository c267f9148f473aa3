"""What a Job makes of pods that were taken from it."""

from charts_py.workloads.reason import Tree, because


def disruptions_ignored() -> dict[str, Tree]:
    """Return the field by which a Job starts them again, and counts no failure."""
    rule = {
        "action": "Ignore",
        "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}],
    }
    why = "a pod that was evicted or preempted is no failure of its own"
    return {"podFailurePolicy": because({"rules": [rule]}, why)}
