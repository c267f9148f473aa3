"""The API of KAI's objects: https://github.com/kai-scheduler/KAI-Scheduler, pkg/apis at v0.17.0."""

GROUP = "scheduling.run.ai"
API_VERSION = f"{GROUP}/v2"

QUEUE = "kai.scheduler/queue"
"""Label of a pod, or of the object that it belongs to."""
PREEMPTIBILITY = "kai.scheduler/preemptibility"
"""Label of the same, by which a job may be evicted, or stays within the quota of its queue; without
it, those of priority classes from 100 on stay there."""
PREEMPTIBLE = "preemptible"
