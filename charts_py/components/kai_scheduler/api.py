"""The API of KAI's objects: https://github.com/kai-scheduler/KAI-Scheduler, pkg/apis at v0.17.0."""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.queue_policies import Grouping
from charts_py.platform.contribution import Gangs
from policies.settings import JobKind, QueuePriority

KAI_SCHEDULER_NAME = "kai-scheduler"
"""The component, its chart, and what pods name it, by which its operator names a Deployment."""
NAMESPACE = "kai-scheduler"
"""Where its documentation installs it."""
GROUP = "scheduling.run.ai"
API_VERSION = f"{GROUP}/v2"
TOPOLOGY_API_VERSION = "kai.scheduler/v1alpha1"
"""Of what jobs name in the annotation `kai.scheduler/topology`
(pkg/podgrouper/podgrouper/plugins/constants)."""
QUEUE = "kai.scheduler/queue"
"""Label of a pod, or of the object that it belongs to."""
PREEMPTIBILITY = "kai.scheduler/preemptibility"
"""Label of the same, by which a job may be evicted, or stays within the quota of its queue; without
it, those of priority classes from 100 on stay there."""
PREEMPTIBLE = "preemptible"
MIN_MEMBER = "kai.scheduler/batch-min-member"
"""Annotation of a Job: how many of its pods start together; of a JobSet: how many of its jobs."""
PRIORITY = QueuePriority(
    ("metadata", "labels", "priorityClassName"),
    # It ranks by pods, which have a class by then.
    jobs=(),
    others=(
        JobKind("", "Pod"),
        JobKind("apps", "Deployment"),
        JobKind("apps", "ReplicaSet"),
        JobKind("apps", "StatefulSet"),
        JobKind("argoproj.io", "Workflow"),
        JobKind("batch", "CronJob"),
        JobKind("batch", "Job"),
        JobKind("jobset.x-k8s.io", "JobSet"),
        JobKind("kubeflow.org", "JAXJob"),
        JobKind("kubeflow.org", "MPIJob"),
        JobKind("kubeflow.org", "PyTorchJob"),
        JobKind("kubeflow.org", "TFJob"),
        JobKind("kubeflow.org", "XGBoostJob"),
        JobKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
        JobKind("ray.io", "RayCluster"),
        JobKind("ray.io", "RayJob"),
        JobKind("ray.io", "RayService"),
        # It has the labels of what the pods belong to in the end, whatever kind that is.
        JobKind(GROUP, "PodGroup"),
        JobKind("trainer.kubeflow.org", "TrainJob"),
    ),
)
"""It reads the label of whatever a pod belongs to, then that of the pod, and then the pod's own
class (`calcPodGroupPriorityClass` in pkg/podgrouper/podgrouper/plugins/defaultgrouper)."""
RAY_PRIORITY = "ray.io/priority-class-name"
"""Label of the top owner of a Ray pod; it counts before all of those (`plugins/ray`).
"""
SKIP_POD_GROUPER = "kai.scheduler/skip-podgrouper"
"""Annotation of a pod, or of its owner: KAI then neither makes nor changes its group."""
GROUPING = Grouping(
    QueueEngine.KAI,
    GROUP,
    "pod-group-name",
    annotations=(SKIP_POD_GROUPER,),
    labels=("kai.scheduler/subgroup-name",),
)
"""Its pod grouper names the PodGroup, and the part of it. The scheduler leaves out of a queue what
names none, or a part that there is not (`getPodGroupID` in pkg/scheduler/api/pod_info and
`AddTaskInfo` in pkg/scheduler/api/podgroup_info at v0.17.0)."""


def _is_grouped(api_version: str, kind: str) -> bool:
    return (api_version, kind) != ("batch/v1", "Job")


GANGS = Gangs(_is_grouped, min_member=MIN_MEMBER, counts_leaders=True)
"""KAI makes gangs of the kinds that it knows (pkg/podgrouper/podgrouper/hub and plugins/job at
v0.17.0). Launchers, heads and drivers count, and pods of another scheduler are in no gang
(plugins/kubeflow, ray and jobset there, and pkg/podgrouper/pod_controller.go)."""
