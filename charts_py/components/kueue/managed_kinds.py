"""The kinds that Kueue holds back, and how it knows who comes first.

https://github.com/kubernetes-sigs/kueue, pkg/controller/jobs and, for priorities,
pkg/controller/jobframework/reconciler.go at v0.19.2
"""

from charts_py.platform.gangs import Gangs
from policies.settings import JobKind, QueuePriority

PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
"""https://kueue.sigs.k8s.io/docs/concepts/workload_priority_class/"""

_JOBS = (
    JobKind("apps", "StatefulSet"),
    JobKind("batch", "Job"),
    JobKind("jobset.x-k8s.io", "JobSet"),
    JobKind("kubeflow.org", "JAXJob"),
    JobKind("kubeflow.org", "MPIJob"),
    JobKind("kubeflow.org", "PaddleJob"),
    JobKind("kubeflow.org", "PyTorchJob"),
    JobKind("kubeflow.org", "TFJob"),
    JobKind("kubeflow.org", "XGBoostJob"),
    JobKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
    JobKind("ray.io", "RayCluster"),
    JobKind("ray.io", "RayJob"),
    JobKind("ray.io", "RayService"),
    JobKind("trainer.kubeflow.org", "TrainJob"),
)
_POD_BY_POD = (JobKind("", "Pod"), JobKind("apps", "Deployment"))
MANAGED = (*_JOBS, *_POD_BY_POD)

PRIORITY = QueuePriority(
    ("metadata", "labels", PRIORITY_LABEL), _JOBS, _POD_BY_POD, reads_templates=True
)


def _is_known(api_version: str, kind: str) -> bool:
    return (api_version, kind) != ("kubeflow.org/v1", "MPIJob")


GANGS = Gangs(_is_known, others="Kueue knows MPIJobs of version 2 alone; run MPI as a trainjob")
"""An MPIJob is one of `kubeflow.org/v2beta1` (pkg/controller/jobs/mpijob at v0.19.2)."""
