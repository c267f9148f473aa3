"""The kinds of jobs that Kueue manages, and the fields by which it ranks them.

https://github.com/kubernetes-sigs/kueue, pkg/controller/jobs and, for priorities,
pkg/controller/jobframework/reconciler.go at v0.19.2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from charts_py.platform.contribution import Gangs
from policies.settings import JobKind, QueuePriority
from policies.workloads.job_priority import known

if TYPE_CHECKING:  # the linter judges by this module, without pydantic
    from charts_py.cluster_file.training import Training

GROUP = "kueue.x-k8s.io"
API_VERSION = f"{GROUP}/v1beta2"
QUEUE_LABEL = f"{GROUP}/queue-name"
"""Label of a job: https://kueue.sigs.k8s.io/docs/reference/labels-and-annotations/"""
DEFAULT_QUEUE = "default"
"""Kueue takes it for jobs that name no queue (pkg/controller/constants at v0.19.2)."""
ELASTIC_JOB = f"{GROUP}/elastic-job"
"""Annotation of a job whose number of pods may change while it runs."""
PREBUILT_WORKLOAD = f"{GROUP}/prebuilt-workload-name"
"""Label or annotation of a job: the Workload that stands for it."""
SUSPENDING_PARENT = f"{GROUP}/pod-suspending-parent"
"""Annotation of a pod, and of the template of pods: by which integration they are gated."""
PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
"""https://kueue.sigs.k8s.io/docs/concepts/workload_priority_class/"""


@dataclass(frozen=True, slots=True)
class ManagedKind:
    """A kind that Kueue holds back."""

    group: str
    """Empty for the core group."""
    kind: str
    is_installed: Callable[[Training], bool] = lambda _: True
    """Whether a cluster has it, by the operators that it installs; all have those of Kubernetes."""
    waits_pod_by_pod: bool = False
    """Whether its pods start one by one, with the class that admission gives them."""

    @property
    def job_kind(self) -> JobKind:
        return JobKind(self.group, self.kind)

    @property
    def framework(self) -> str:
        """Its name in the configuration of Kueue."""
        name = self.kind.lower()
        return name if self.group in ("", "apps") else f"{self.group}/{name}"

    @property
    def resource(self) -> str:
        """Its name in the paths of the API and in RBAC: the plural."""
        return known(self.job_kind).resource


def _of_training_operator(kind: str) -> ManagedKind:
    return ManagedKind(
        "kubeflow.org", kind, lambda training: training.training_operator is not None
    )


def _of_no_operator(kind: str) -> ManagedKind:
    """Return a kind that the training operator has in another version than Kueue, or None."""
    return ManagedKind("kubeflow.org", kind, lambda _: False)


def _of_kuberay(kind: str) -> ManagedKind:
    return ManagedKind("ray.io", kind, lambda training: training.ray is not None)


MANAGED = (
    ManagedKind("apps", "StatefulSet"),
    ManagedKind("batch", "Job"),
    ManagedKind("jobset.x-k8s.io", "JobSet", lambda training: training.has_job_set),
    _of_no_operator("JAXJob"),
    _of_no_operator("MPIJob"),
    _of_no_operator("PaddleJob"),
    _of_training_operator("PyTorchJob"),
    _of_training_operator("TFJob"),
    _of_training_operator("XGBoostJob"),
    ManagedKind(
        "leaderworkerset.x-k8s.io",
        "LeaderWorkerSet",
        lambda training: training.leader_worker_set is not None,
    ),
    _of_kuberay("RayCluster"),
    _of_kuberay("RayJob"),
    _of_kuberay("RayService"),
    ManagedKind("trainer.kubeflow.org", "TrainJob", lambda training: training.trainer is not None),
    ManagedKind("", "Pod", waits_pod_by_pod=True),
    ManagedKind("apps", "Deployment", waits_pod_by_pod=True),
)
"""Every kind whose pods Kueue starts together, and single pods, whoever brings them."""


def installed_kinds(training: Training) -> tuple[ManagedKind, ...]:
    """Return the kinds that a cluster has: those of Kubernetes, and those that it installs."""
    return by_framework(kind for kind in MANAGED if kind.is_installed(training))


def by_framework(kinds: Iterable[ManagedKind]) -> tuple[ManagedKind, ...]:
    """Return kinds by their names in the configuration of Kueue, those with a group first."""
    return tuple(sorted(kinds, key=lambda each: ("/" not in each.framework, each.framework)))


PRIORITY = QueuePriority(
    ("metadata", "labels", PRIORITY_LABEL),
    jobs=tuple(kind.job_kind for kind in MANAGED if not kind.waits_pod_by_pod),
    others=tuple(kind.job_kind for kind in MANAGED if kind.waits_pod_by_pod),
    reads_templates=True,
)


def _is_known(api_version: str, kind: str) -> bool:
    return (api_version, kind) != ("kubeflow.org/v1", "MPIJob")


GANGS = Gangs(_is_known, others="Kueue knows MPIJobs of version 2 alone; run MPI as a trainjob")
"""An MPIJob is one of `kubeflow.org/v2beta1` (pkg/controller/jobs/mpijob at v0.19.2)."""
