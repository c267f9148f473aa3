"""The kinds of KubeRay 1.7."""

from policies.workloads.job_label import RAY
from policies.workloads.workload_kind import WorkloadKind


def ray_cluster(place: str) -> tuple[str, ...]:
    """Return where the spec of a cluster has its pod templates."""
    return (f"{place}/headGroupSpec/template", f"{place}/workerGroupSpecs/*/template")


def _job(place: str) -> tuple[str, ...]:
    return (*ray_cluster(f"{place}/rayClusterSpec"), f"{place}/submitterPodTemplate")


RAY_KINDS = (
    WorkloadKind("ray.io", "RayCluster", ray_cluster("/spec"), job_label=RAY),
    WorkloadKind("ray.io", "RayCronJob", _job("/spec/jobTemplate"), job_label=RAY),
    WorkloadKind("ray.io", "RayJob", _job("/spec"), job_label=RAY),
    WorkloadKind("ray.io", "RayService", ray_cluster("/spec/rayClusterConfig"), job_label=RAY),
)
