"""Finds the pod templates in workloads.

Sources: the Kubernetes API, and the CRDs of Kubeflow (training-operator 1.9, MPI operator, Trainer
2.3), KubeRay 1.7, LeaderWorkerSet 0.10, JobSet 0.12, Volcano 1.15, Kueue 0.19, AppWrapper v1beta2,
Argo Rollouts 1.9, KEDA 2.20, Knative Serving 1, OpenKruise and SageMaker HyperPod.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from policies.document import Document, members, text
from policies.workload_part import PARTS
from policies.workload_place import at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from policies.document import Json
    from policies.workload_part import Read

_TEMPLATE = ("/spec/template",)
_JOB_SET = "/spec/replicatedJobs/*/template/spec/template"
_ANALYSIS = ("/spec/metrics/*/provider/job/spec/template",)
_KUBEFLOW = {
    kind: (f"/spec/{field}ReplicaSpecs/*/template",)
    for kind, field in (
        ("JAXJob", "jax"),
        ("MPIJob", "mpi"),
        ("PaddleJob", "paddle"),
        ("PyTorchJob", "pytorch"),
        ("TFJob", "tf"),
        ("XGBoostJob", "xgb"),
    )
}
_LEADER_WORKER = (
    "/spec/leaderWorkerTemplate/leaderTemplate",
    "/spec/leaderWorkerTemplate/workerTemplate",
)


def _ray(cluster: str) -> tuple[str, ...]:
    return (f"{cluster}/headGroupSpec/template", f"{cluster}/workerGroupSpecs/*/template")


def _ray_job(job: str) -> tuple[str, ...]:
    return (*_ray(f"{job}/rayClusterSpec"), f"{job}/submitterPodTemplate")


_PLACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "": {
        "Pod": ("",),
        "PodTemplate": ("/template",),
        "ReplicationController": _TEMPLATE,
    },
    "apps": dict.fromkeys(("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"), _TEMPLATE),
    "apps.kruise.io": dict.fromkeys(
        ("BroadcastJob", "CloneSet", "DaemonSet", "StatefulSet"), _TEMPLATE
    ),
    "argoproj.io": {
        "AnalysisRun": _ANALYSIS,
        "AnalysisTemplate": _ANALYSIS,
        "ClusterAnalysisTemplate": _ANALYSIS,
        "Experiment": ("/spec/templates/*/template",),
        "Rollout": _TEMPLATE,
    },
    "batch": {"CronJob": ("/spec/jobTemplate/spec/template",), "Job": _TEMPLATE},
    "batch.volcano.sh": {
        "CronJob": ("/spec/jobTemplate/spec/tasks/*/template",),
        "Job": ("/spec/tasks/*/template",),
    },
    "disaggregatedset.x-k8s.io": {
        "DisaggregatedSet": tuple(
            place.replace("/spec", "/spec/roles/*/spec", 1) for place in _LEADER_WORKER
        )
    },
    "flow.volcano.sh": {"JobTemplate": ("/spec/tasks/*/template",)},
    "jobset.x-k8s.io": {"JobSet": (_JOB_SET,)},
    "keda.sh": {"ScaledJob": ("/spec/jobTargetRef/template",)},
    "kubeflow.org": _KUBEFLOW,
    "kueue.x-k8s.io": {"Workload": ("/spec/podSets/*/template",)},
    "leaderworkerset.x-k8s.io": {"LeaderWorkerSet": _LEADER_WORKER},
    "ray.io": {
        "RayCluster": _ray("/spec"),
        "RayCronJob": _ray_job("/spec/jobTemplate"),
        "RayJob": _ray_job("/spec"),
        "RayService": _ray("/spec/rayClusterConfig"),
    },
    "sagemaker.amazonaws.com": {"HyperPodPyTorchJob": ("/spec/replicaSpecs/*/template",)},
    "serving.knative.dev": {
        "Configuration": _TEMPLATE,
        "Service": _TEMPLATE,
    },
    "trainer.kubeflow.org": dict.fromkeys(
        ("ClusterTrainingRuntime", "TrainingRuntime"), (f"/spec/template{_JOB_SET}",)
    ),
}
"""By API group and kind: where whole pod templates stand."""

_WRAPPED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "workload.codeflare.dev": {"AppWrapper": ("/spec/components/*/template",)}
}
"""By API group and kind: where other objects stand."""


@dataclass(frozen=True, slots=True)
class PodTemplate:
    """A pod, or a template of pods, in a workload."""

    pointer: str
    """JSON Pointer to it; empty for a Pod itself."""
    document: Document
    """The part of the workload itself, not a copy; a partial one may be put together from it."""
    partial: bool = False
    """Whether it states only some of what the pod will have, so that nothing can be said of what it
    lacks, and nothing be added."""


def pod_templates(workload: Json) -> Iterator[PodTemplate]:
    """Yield the pod templates of a workload, or of each in a `List`; of other objects none.

    Of the kinds of `policies.workload_part` they are partial; so are the overrides of a TrainJob,
    which are laid over the templates of the runtime that it names. Manifests that are one string,
    as in the `resource` template of an Argo Workflow, are not read.
    """
    fields = members(workload)
    kind = text(fields.get("kind"))
    if kind.endswith("List") and type(fields.get("items")) is list:
        yield from _held(workload, ("/items/*",))
        return
    group, slash, _ = text(fields.get("apiVersion")).partition("/")
    group = group if slash else ""
    yield from _whole(workload, _PLACES.get(group, {}).get(kind, ()))
    yield from _partial(workload, PARTS.get(group, {}).get(kind, ()))
    yield from _held(workload, _WRAPPED.get(group, {}).get(kind, ()))


def _whole(workload: Json, places: Iterable[str]) -> Iterator[PodTemplate]:
    for place in places:
        for pointer, found in at(workload, place):
            if _has_spec(found):
                yield PodTemplate(pointer, found)


def _partial(workload: Json, parts: Iterable[tuple[str, Read]]) -> Iterator[PodTemplate]:
    for place, read in parts:
        for pointer, part in at(workload, place):
            for below, pod in read(part):
                if _has_spec(pod):
                    yield PodTemplate(f"{pointer}{below}", pod, partial=True)


def _held(holder: Json, places: Iterable[str]) -> Iterator[PodTemplate]:
    for place in places:
        for pointer, held in at(holder, place):
            for template in pod_templates(held):
                yield replace(template, pointer=f"{pointer}{template.pointer}")


def _has_spec(template: Json) -> bool:
    return type(template) is dict and type(template.get("spec")) is dict


def workload_kinds() -> tuple[tuple[str, str], ...]:
    """Return the API group and kind of all workloads that are known, sorted."""
    tables: tuple[Mapping[str, Mapping[str, object]], ...] = (_PLACES, PARTS, _WRAPPED)
    return tuple(
        sorted(
            {(group, kind) for table in tables for group, kinds in table.items() for kind in kinds}
        )
    )
