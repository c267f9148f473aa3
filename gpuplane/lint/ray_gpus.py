"""How many GPUs Ray takes a node of its cluster for.

KubeRay passes the GPUs of the container to Ray, unless `rayStartParams` do; Ray then starts as many
tasks as it was given (https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html).
"""

from collections.abc import Iterator

from gpuplane.lint.gpu_pod import GpuPod, whole_gpus
from gpuplane.lint.lint_object import LintObject
from gpuplane.lint.stated_number import whole_number
from gpuplane.lint.template_rule import TemplateFinding
from policies.document import members
from policies.settings import JobKind
from policies.workloads.place import at

_CLUSTERS = {
    JobKind("ray.io", "RayCluster"): "/spec",
    JobKind("ray.io", "RayCronJob"): "/spec/jobTemplate/rayClusterSpec",
    JobKind("ray.io", "RayJob"): "/spec/rayClusterSpec",
    JobKind("ray.io", "RayService"): "/spec/rayClusterConfig",
}
"""Where each kind says what its Ray cluster is."""
_GROUPS = ("headGroupSpec", "workerGroupSpecs/*")


def ray_gpus(one: LintObject) -> Iterator[TemplateFinding]:
    """Find groups that say that they have more GPUs than their container."""
    cluster = _CLUSTERS.get(one.kind)
    if cluster is None:
        return
    for place in _GROUPS:
        for pointer, group in at(one.document, f"{cluster}/{place}"):
            stated = whole_number(members(members(group).get("rayStartParams")).get("num-gpus"))
            gpus = _gpus(pointer, one.gpu_pods)
            if stated is not None and gpus is not None and stated > gpus:
                yield TemplateFinding(
                    f"{pointer}/rayStartParams/num-gpus",
                    f"num-gpus is {stated}, which is more than the GPUs of the container ({gpus}).",
                    "Leave it out, so that KubeRay sets it to the GPUs of the container.",
                )


def _gpus(pointer: str, pods: tuple[GpuPod, ...]) -> int | None:
    """Return the GPUs of the only container of a group that has some."""
    own = [pod for pod in pods if pod.is_below(pointer)]
    containers = [container for pod in own for container in pod.pod.gpu_containers]
    return whole_gpus(containers[0]) if len(containers) == 1 else None
