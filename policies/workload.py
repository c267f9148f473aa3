"""Finds the pod templates in workloads.

Sources: the Kubernetes API, and the CRDs of Kubeflow (training-operator 1.9, MPI operator, Trainer
2.3), KubeRay 1.7, LeaderWorkerSet 0.10, JobSet 0.12, Volcano 1.15, Kueue 0.19, Argo Rollouts 1.9,
KEDA 2.20 and Knative Serving 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from policies.document import escaped, members, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from policies.document import Document, Json

_ANY = "*"
"""Every element of an array, or every member of an object."""

_TEMPLATE = ("/spec/template",)
_JOB_SET = "/replicatedJobs/*/template/spec/template"
_KUBEFLOW = {
    f"{framework}Job": (f"/spec/{field}ReplicaSpecs/*/template",)
    for framework, field in (
        ("JAX", "jax"),
        ("MPI", "mpi"),
        ("Paddle", "paddle"),
        ("PyTorch", "pytorch"),
        ("TF", "tf"),
        ("XGB", "xgb"),
    )
}
_LEADER_WORKER = (
    "/spec/leaderWorkerTemplate/leaderTemplate",
    "/spec/leaderWorkerTemplate/workerTemplate",
)


def _ray(cluster: str) -> tuple[str, ...]:
    return (f"{cluster}/headGroupSpec/template", f"{cluster}/workerGroupSpecs/*/template")


_PLACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "": {
        "Pod": ("",),
        "PodTemplate": ("/template",),
        "ReplicationController": _TEMPLATE,
    },
    "apps": dict.fromkeys(("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"), _TEMPLATE),
    "batch": {"CronJob": ("/spec/jobTemplate/spec/template",), "Job": _TEMPLATE},
    "argoproj.io": {"Rollout": _TEMPLATE},
    "batch.volcano.sh": {
        "CronJob": ("/spec/jobTemplate/spec/tasks/*/template",),
        "Job": ("/spec/tasks/*/template",),
    },
    "disaggregatedset.x-k8s.io": {
        "DisaggregatedSet": tuple(
            place.replace("/spec", "/spec/roles/*/spec", 1) for place in _LEADER_WORKER
        )
    },
    "jobset.x-k8s.io": {"JobSet": (f"/spec{_JOB_SET}",)},
    "keda.sh": {"ScaledJob": ("/spec/jobTargetRef/template",)},
    "kubeflow.org": _KUBEFLOW,
    "kueue.x-k8s.io": {"Workload": ("/spec/podSets/*/template",)},
    "leaderworkerset.x-k8s.io": {"LeaderWorkerSet": _LEADER_WORKER},
    "ray.io": {
        "RayCluster": _ray("/spec"),
        "RayJob": (*_ray("/spec/rayClusterSpec"), "/spec/submitterPodTemplate"),
        "RayService": _ray("/spec/rayClusterConfig"),
    },
    "serving.knative.dev": {"Service": _TEMPLATE},
    "trainer.kubeflow.org": {
        "ClusterTrainingRuntime": (f"/spec/template/spec{_JOB_SET}",),
        "TrainingRuntime": (f"/spec/template/spec{_JOB_SET}",),
        "TrainJob": (
            "/spec/podTemplateOverrides/*",
            f"/spec/runtimePatches/*/trainingRuntimeSpec/template/spec{_JOB_SET}",
        ),
    },
}
"""By API group and kind: where the pod templates stand."""

_PARTS = frozenset({"TrainJob"})
"""Kinds whose templates only state what differs from a runtime's."""


@dataclass(frozen=True, slots=True)
class PodTemplate:
    """A pod, or a template of pods, in a workload."""

    pointer: str
    """JSON Pointer to it; empty for a Pod itself."""
    document: Document
    """The part of the workload itself, not a copy."""
    partial: bool = False
    """Whether it only states what differs from a template elsewhere, so that nothing can be said
    of what it lacks."""


def pod_templates(workload: Json) -> Iterator[PodTemplate]:
    """Yield the pod templates of a workload, or of each in a `List`; of other objects none."""
    fields = members(workload)
    kind = text(fields.get("kind"))
    if kind.endswith("List") and type(fields.get("items")) is list:
        for index, item in enumerate(fields["items"]):
            for template in pod_templates(item):
                yield PodTemplate(
                    f"/items/{index}{template.pointer}", template.document, template.partial
                )
        return
    group, slash, _ = text(fields.get("apiVersion")).partition("/")
    for place in _PLACES.get(group if slash else "", {}).get(kind, ()):
        for pointer, found in _at(workload, place.split("/")[1:], ""):
            if type(found) is dict and type(found.get("spec")) is dict:
                yield PodTemplate(pointer, found, kind in _PARTS)


def _at(here: Json, tokens: list[str], pointer: str) -> Iterator[tuple[str, Json]]:
    if not tokens:
        yield pointer, here
        return
    token, *rest = tokens
    if token == _ANY:
        for name, below in _children(here):
            yield from _at(below, rest, f"{pointer}/{name}")
    elif type(here) is dict and token in here:
        yield from _at(here[token], rest, f"{pointer}/{token}")


def _children(here: Json) -> Iterator[tuple[str, Json]]:
    if type(here) is dict:
        for name, below in here.items():
            yield escaped(name), below
    elif type(here) is list:
        for index, below in enumerate(here):
            yield str(index), below


def workload_kinds() -> tuple[tuple[str, str], ...]:
    """Return the API group and kind of all workloads that are known, sorted."""
    return tuple(sorted((group, kind) for group, kinds in _PLACES.items() for kind in kinds))
