"""How many pods of a template run together."""

from collections.abc import Iterator, Mapping
from math import prod

from gpuplane.lint.lint_object import LintObject
from gpuplane.lint.stated_number import whole_number
from policies.document import Json, members
from policies.settings import JobKind
from policies.workloads.place import at

_IN_JOB_SET = ("/spec/replicatedJobs/*", ("replicas", "template/spec/parallelism"))
_GROUPS: Mapping[JobKind, tuple[str, tuple[str, ...]]] = {
    JobKind("batch", "Job"): ("/spec", ("parallelism",)),
    JobKind("batch", "CronJob"): ("/spec/jobTemplate/spec", ("parallelism",)),
    JobKind("batch.volcano.sh", "Job"): ("/spec/tasks/*", ("replicas",)),
    JobKind("jobset.x-k8s.io", "JobSet"): _IN_JOB_SET,
    JobKind("kubeflow.org", "JAXJob"): ("/spec/jaxReplicaSpecs/*", ("replicas",)),
    JobKind("kubeflow.org", "MPIJob"): ("/spec/mpiReplicaSpecs/*", ("replicas",)),
    JobKind("kubeflow.org", "PyTorchJob"): ("/spec/pytorchReplicaSpecs/*", ("replicas",)),
    JobKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): (
        "/spec/leaderWorkerTemplate",
        ("size",),
    ),
}
"""Where each kind says how many pods of a template there are: the numbers that are multiplied."""


_OF_ONE_JOB = "kubeflow.org"


def pods_together(one: LintObject) -> int | None:
    """Return how many pods with GPUs of a job run together.

    None where that is not known, and for a job that states one pod: several such jobs may be one.
    """
    place, fields = _GROUPS.get(one.kind, ("", ()))
    counts = [
        _count(group, fields)
        for pointer, group in at(one.document, place)
        if fields and any(pod.is_below(pointer) for pod in one.gpu_pods)
    ]
    known = [count for count in counts if count is not None]
    total = sum(known)
    return total if total > 1 and len(known) == len(counts) else None


def _count(group: Json, fields: tuple[str, ...]) -> int | None:
    """Return the product of the fields, each 1 where it is missing; None if one is not a number."""
    stated = [_below(group, field) for field in fields]
    numbers = [1 if value is None else whole_number(value) for value in stated]
    known = [number for number in numbers if number is not None]
    return prod(known) if len(known) == len(numbers) else None


def _below(holder: Json, field: str) -> Json:
    for name in field.split("/"):
        holder = members(holder).get(name)
    return holder


def stated_sizes(one: LintObject) -> Iterator[int]:
    """Yield the numbers of pods that templates of a job have which may be a job by themselves.

    Those of the training operator are one: it counts the master among the nodes.
    """
    of_one = one.kind.group == _OF_ONE_JOB
    place, fields = ("", ()) if of_one else _GROUPS.get(one.kind, ("", ()))
    for _, group in at(one.document, place) if fields else ():
        if (count := _count(group, fields)) is not None:
            yield count
