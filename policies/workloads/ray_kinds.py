"""The kinds of KubeRay 1.7."""

from __future__ import annotations

from policies.workloads.job_label import RAY
from policies.workloads.workload_kind import WorkloadKind


def _cluster(place: str) -> tuple[str, ...]:
    return (f"{place}/headGroupSpec/template", f"{place}/workerGroupSpecs/*/template")


def _job(place: str) -> tuple[str, ...]:
    return (*_cluster(f"{place}/rayClusterSpec"), f"{place}/submitterPodTemplate")


RAY_KINDS = (
    WorkloadKind("ray.io", "RayCluster", _cluster("/spec"), job_label=RAY),
    WorkloadKind("ray.io", "RayCronJob", _job("/spec/jobTemplate"), job_label=RAY),
    WorkloadKind("ray.io", "RayJob", _job("/spec"), job_label=RAY),
    WorkloadKind("ray.io", "RayService", _cluster("/spec/rayClusterConfig"), job_label=RAY),
)
