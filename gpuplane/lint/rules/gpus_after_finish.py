"""A job lets go of its GPUs when it has finished.

The workers of an MPIJob run an SSH server, which does not end with the launcher; its default
`cleanPodPolicy` of None leaves them (`setDefaultsRunPolicy` in
https://github.com/kubeflow/mpi-operator, pkg/apis/kubeflow/v2beta1/default.go, and
`SetDefaults_MPIJob` in https://github.com/kubeflow/trainer at release-1.9). The RayCluster of a
RayJob stays unless the job shuts it down
(https://docs.ray.io/en/latest/cluster/kubernetes/getting-started/rayjob-quick-start.html).
"""

from collections.abc import Iterator

from charts_py.objects.document import Document
from gpuplane.lint.rule import GpuPod, LintContext, LintObject, LintRule, RuleFinding, by_kind
from policies.document import members, steps_of, value_at
from policies.fix import put
from policies.settings import JobKind

_MPI_JOB = JobKind("kubeflow.org", "MPIJob")
_WORKERS = "/spec/mpiReplicaSpecs/Worker"
_CLEANING = ("All", "Running")
_POLICY = ("spec", "runPolicy", "cleanPodPolicy")


def check(one: LintObject, _context: LintContext) -> Iterator[RuleFinding]:
    if one.kind == _MPI_JOB:
        yield from _kept_workers(one.document, one.gpu_pods)
    elif pointer := by_kind("ray_jobs").get(one.kind):
        yield from _kept_cluster(one.document, pointer, one.gpu_pods)


def _kept_workers(document: Document, pods: tuple[GpuPod, ...]) -> Iterator[RuleFinding]:
    spec = members(document.get("spec"))
    policy = members(spec.get("runPolicy")).get("cleanPodPolicy", spec.get("cleanPodPolicy"))
    if policy in _CLEANING or not any(pod.is_below(_WORKERS) for pod in pods):
        return
    yield RuleFinding(
        f"/{'/'.join(_POLICY)}",
        "The workers keep running after the launcher has ended, and with them the job keeps its"
        " GPUs: runPolicy.cleanPodPolicy is None.",
        "Set it to Running, which ends the workers and keeps the launcher with its logs.",
        # A declared policy is a decision.
        put(document, "", _POLICY, "Running") if policy is None else (),
    )


def _kept_cluster(
    document: Document, pointer: str, pods: tuple[GpuPod, ...]
) -> Iterator[RuleFinding]:
    spec = members(value_at(document, steps_of(pointer)))
    ends = spec.get("shutdownAfterJobFinishes") is True or spec.get("deletionStrategy") is not None
    if ends or not any(pod.is_below(f"{pointer}/rayClusterSpec") for pod in pods):
        return
    yield RuleFinding(
        f"{pointer}/shutdownAfterJobFinishes",
        "The RayCluster keeps running after the job has finished, and with it its GPUs:"
        " shutdownAfterJobFinishes is not true.",
        "Set it to true, and ttlSecondsAfterFinished to as long as somebody may want to look.",
    )


RULE = LintRule("gpus-after-finish", "A job lets go of its GPUs when it has finished.", check)
