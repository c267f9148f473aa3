"""The API of Volcano's objects (https://github.com/volcano-sh/volcano, config/crd at v1.15.1)."""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.queue_policies import Grouping
from charts_py.platform.contribution import Gangs
from policies.settings import JobKind, QueuePriority

VOLCANO_NAME = "volcano"
"""The name of the component and of its release, after which the chart names its Deployments."""
NAMESPACE = "volcano-system"
"""Where its documentation installs it."""
GROUP = "scheduling.volcano.sh"
API_VERSION = f"{GROUP}/v1beta1"
JOB_GROUP = "batch.volcano.sh"
"""API group of its own Jobs."""
SCHEDULER = "volcano"
"""What pods name it."""
PRIORITY = QueuePriority(
    ("spec", "priorityClassName"), (JobKind(JOB_GROUP, "Job"), JobKind(GROUP, "PodGroup"))
)
"""The scheduler reads that of the PodGroup alone, which has that of its Job, or of its pod
(pkg/scheduler/cache and pkg/controllers/job at v1.15.1)."""
QUEUE_NAME = f"{GROUP}/queue-name"
"""Annotation of a pod, and of a Namespace for jobs in it that name no queue."""
PREEMPTABLE = "volcano.sh/preemptable"
"""Annotation or label of pods that may not be evicted."""
MIN_MEMBER = f"{GROUP}/group-min-member"
"""Annotation of what controls pods: how many of them start together."""
DEFAULT_QUEUE = "default"
"""The queue of jobs in namespaces that belong to no team."""
GROUPING = Grouping(QueueEngine.VOLCANO, GROUP, "scheduling.k8s.io/group-name")
"""Its controllers name the PodGroup of pods of all kinds, and its scheduler leaves pods out that
name none (`getJobID` in pkg/scheduler/api/job_info.go at v1.15.1)."""


def _is_own(api_version: str, _: str) -> bool:
    return api_version.startswith(f"{JOB_GROUP}/")


GANGS = Gangs(
    _is_own,
    min_member=MIN_MEMBER,
    others="Volcano starts pods of a Job together that says how many; take a job or a jobset",
)
"""It reads what controls a pod, where that is a Job, a ReplicaSet, a StatefulSet or a DaemonSet
(`getAnnotationsFromUpperRes` in pkg/controllers/podgroup/pg_controller_handler.go at v1.15.1)."""
