"""A distributed job has as many processes as GPUs, on as many nodes as pods.

With more processes than GPUs, NCCL refuses two on one GPU ("Duplicate GPU detected"); with fewer,
GPUs stand idle. With more nodes than pods, all pods wait until the rendezvous times out.
https://docs.pytorch.org/docs/stable/elastic/run.html

mpirun refuses more processes than there are slots, and leaves GPUs idle with fewer
(https://docs.open-mpi.org/en/main/launching-apps/scheduling.html). KubeRay passes the GPUs of the
container to Ray, unless `rayStartParams` do; Ray then starts as many tasks as it was given
(https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html).

The MPI operator lets no process of an MPIJob v2beta1 run in its launcher, from which it hides GPUs,
unless that is a worker as well (`newLauncherPodTemplate` in
https://github.com/kubeflow/mpi-operator, pkg/controller/mpi_job_controller.go at v0.8.0). The
training operator takes a launcher with GPUs for a worker (`isGPULauncher` in
https://github.com/kubeflow/trainer, pkg/controller.v1/mpi/mpijob.go at v1.9.3).

A server of a language model does not start on fewer GPUs than it splits the model on
(`gpuplane.lint.model_servers`).

Only literal numbers are compared. One process with several GPUs passes, as do jobs of one pod, of
which several can be one.
"""

from collections.abc import Iterator
from typing import NamedTuple

from charts_py.cluster_file.fault import counted
from gpuplane.lint.declared_number import DeclaredNumber, DeclaredOptions, variables, whole_number
from gpuplane.lint.model_servers import most_gpus, split_models
from gpuplane.lint.rule import (
    GpuPod,
    LintContext,
    LintObject,
    LintRule,
    RuleFinding,
    by_kind,
    whole_gpus,
)
from gpuplane.workloads.pod_count import pod_count
from policies.document import members, steps_of, value_at
from policies.pod import Pod
from policies.settings import JobKind
from policies.workloads.place import at

_MPI_JOB = JobKind("kubeflow.org", "MPIJob")
_LAUNCHER, _WORKER = "/spec/mpiReplicaSpecs/Launcher/template", "/spec/mpiReplicaSpecs/Worker"
_MPI_OPERATOR = "kubeflow.org/v2beta1"
_RAY_GROUPS = ("headGroupSpec", "workerGroupSpecs/*")
_PROCESSES = ("nproc-per-node", "num-gpus")
_PROCESS_VARIABLES = ("NPROC_PER_NODE", "GPUS_PER_NODE", "LOCAL_WORLD_SIZE", "PET_NPROC_PER_NODE")
_IN_ALL, _MACHINES = ("num-processes",), ("num-machines",)
"""https://huggingface.co/docs/accelerate/package_reference/cli"""
_NODES = ("nnodes", "num-nodes", "num-machines")
_NODE_VARIABLES = ("NNODES", "PET_NNODES")
_WORLD = ("WORLD_SIZE",)
_TOGETHER = (
    "batch",
    "batch.volcano.sh",
    "jobset.x-k8s.io",
    "kubeflow.org",
    "leaderworkerset.x-k8s.io",
)
"""The API groups of jobs whose pods run together."""


class _Job(NamedTuple):
    """The sizes that a job declares."""

    pods: int | None
    sizes: frozenset[int]
    """Sizes of single templates; each may be a job by itself."""


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if not one.gpu_pods:
        return
    job = _Job(_pods_together(one), frozenset(_declared_sizes(one)))
    yield from _of_object(one, context)
    yield from _launched_processes(one)
    yield from _idle_launcher(one)
    yield from _ray_gpus(one)
    yield from split_models(one, context)
    for pod in one.gpu_pods:
        yield from pod.placed(_of_pod(pod, job, most_gpus(pod, context)))


def _of_object(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    place, pods = by_kind("processes").get(one.kind), one.gpu_pods
    if place is None or any(len(pod.pod.gpu_containers) != 1 for pod in pods):
        return
    gpus = {whole_gpus(container) for pod in pods for container in pod.pod.gpu_containers}
    *_, name = steps = steps_of(place)
    value = whole_number(value_at(one.document, steps))
    if value is not None and len(gpus) == 1:
        most = most_gpus(pods[0], context)
        yield from _processes(DeclaredNumber(place, name, value), gpus.pop(), most)


def _of_pod(pod: GpuPod, job: _Job, most: int | None) -> Iterator[RuleFinding]:
    for container in pod.pod.gpu_containers:
        gpus = whole_gpus(container)
        options = DeclaredOptions(container)
        processes = [*variables(container, _PROCESS_VARIABLES), options.number(_PROCESSES)]
        nodes = [*variables(container, _NODE_VARIABLES), options.number(_NODES)]
        for declared in filter(None, processes):
            yield from _processes(declared, gpus, most)
        for declared in filter(None, nodes):
            yield from _nodes(declared, job)
        yield from _in_all(options, job, gpus)
        for declared in variables(container, _WORLD):
            yield from _world(declared, job, gpus, [each.value for each in processes if each])


def _processes(
    declared: DeclaredNumber, gpus: int | None, most: int | None
) -> Iterator[RuleFinding]:
    """`most`: the GPUs that one pod can ask for."""
    if gpus is None or declared.value in (0, 1, gpus):
        return
    than = "more" if declared.value > gpus else "fewer"
    is_offered = most is None or declared.value <= most
    more = f", or ask for {counted(declared.value, 'GPU')}" if is_offered else ""
    yield declared.finding(
        f"which is {than} than the GPUs of the container ({gpus})", f"Set it to {gpus}{more}."
    )


def _nodes(declared: DeclaredNumber, job: _Job) -> Iterator[RuleFinding]:
    if job.pods is None or declared.value == job.pods or declared.value in job.sizes:
        return
    yield declared.finding(
        f"but {job.pods} pods of the job run together",
        f"Set it to {job.pods}, or run {declared.value} pods.",
    )


def _in_all(options: DeclaredOptions, job: _Job, gpus: int | None) -> Iterator[RuleFinding]:
    """Find a number of processes on all machines together, as `accelerate launch` takes it."""
    declared, machines = options.number(_IN_ALL), options.number(_MACHINES)
    count = job.pods if machines is None else machines.value
    if declared is None or gpus is None or count is None or declared.value in (1, count * gpus):
        return
    yield declared.finding(
        f"but {count} x {gpus} GPUs make {count * gpus}",
        f"Set it to {count * gpus}: it is the number on all machines together.",
    )


def _world(
    declared: DeclaredNumber, job: _Job, gpus: int | None, processes: list[int]
) -> Iterator[RuleFinding]:
    if job.pods is None or gpus is None:
        return
    sizes = {job.pods, *job.sizes}
    # Some start one process in each pod, which starts the others.
    fitting = {size * each for size in sizes for each in (1, gpus, *processes)}
    if declared.value not in fitting:
        yield declared.finding(
            f"but {job.pods} pods with {gpus} GPUs each make {job.pods * gpus}",
            f"Set it to {job.pods * gpus}, or leave it to what starts the processes.",
        )


def _launched_processes(one: LintObject) -> Iterator[RuleFinding]:
    """Find a launcher that does not start as many processes as all workers have GPUs."""
    gpus = _gpus_of_workers(one) if one.kind == _MPI_JOB else None
    if gpus is None:
        return
    for template in (each for each in one.templates if each.pointer == _LAUNCHER):
        for container in Pod(template.document, lambda _: False).containers:
            declared = DeclaredOptions(container).number(("np",))
            if declared is not None and declared.value not in (1, gpus):
                found = declared.finding(
                    f"but the workers have {counted(gpus, 'GPU')}",
                    f"Set it to {gpus}, or run workers with {counted(declared.value, 'GPU')}.",
                )
                yield found._replace(pointer=f"{_LAUNCHER}{found.pointer}")


def _idle_launcher(one: LintObject) -> Iterator[RuleFinding]:
    """Find a launcher with GPUs in which the MPI operator runs no process."""
    is_worker = value_at(one.document, ("spec", "runLauncherAsWorker")) is True
    if one.kind != _MPI_JOB or one.document.get("apiVersion") != _MPI_OPERATOR or is_worker:
        return
    for pod in one.gpu_pods:
        for container in pod.pod.gpu_containers if pod.pointer == _LAUNCHER else ():
            yield RuleFinding(
                f"{_LAUNCHER}{container.pointer}/resources",
                f"The {container.culprit} of the launcher has GPUs, which stand idle: the operator "
                "hides them, and starts no process there.",
                "Ask for none, or set spec.runLauncherAsWorker: true.",
            )


def _gpus_of_workers(one: LintObject) -> int | None:
    """Return the GPUs of all workers; None where that is unknown, or other pods have GPUs."""
    pods = one.gpu_pods
    if len(pods) != 1 or not pods[0].is_below(_WORKER):
        return None
    replicas = _pods_together(one)
    each = [whole_gpus(container) for container in pods[0].pod.gpu_containers]
    if replicas is None or len(each) != 1 or each[0] is None:
        return None
    return replicas * each[0]


def _ray_gpus(one: LintObject) -> Iterator[RuleFinding]:
    """Find groups that declare more GPUs than their container has."""
    cluster = by_kind("ray_clusters").get(one.kind)
    if cluster is None:
        return
    for place in _RAY_GROUPS:
        for pointer, group in at(one.document, f"{cluster}/{place}"):
            declared = whole_number(members(members(group).get("rayStartParams")).get("num-gpus"))
            below = [pod.pod for pod in one.gpu_pods if pod.is_below(pointer)]
            containers = [container for pod in below for container in pod.gpu_containers]
            gpus = whole_gpus(containers[0]) if len(containers) == 1 else None
            if declared is not None and gpus is not None and declared > gpus:
                stated = f"{pointer}/rayStartParams/num-gpus"
                yield DeclaredNumber(stated, "num-gpus", declared).finding(
                    f"which is more than the GPUs of the container ({gpus})",
                    "Leave it out, so that KubeRay sets it to the GPUs of the container.",
                )


def _pods_together(one: LintObject) -> int | None:
    """Return how many pods with GPUs of a job run together.

    None where that is unknown, as of an elastic job, and for a job of one pod: several such jobs
    may be one.
    """
    if members(one.document.get("spec")).get("elasticPolicy"):
        return None
    counts = [_pods_of(one, pod.pointer) for pod in one.gpu_pods]
    total = sum(filter(None, counts))
    return total if total > 1 and None not in counts else None


def _declared_sizes(one: LintObject) -> Iterator[int]:
    """Yield the number of pods of each template that may be a job by itself.

    No template of the training operator is: it counts the master among the nodes.
    """
    counts = (_pods_of(one, each.pointer) for each in one.templates)
    yield from () if one.kind.group == "kubeflow.org" else filter(None, counts)


def _pods_of(one: LintObject, template: str) -> int | None:
    """Return how many pods of a template run together; of groups of pods, those of one."""
    count = pod_count(one.document, template)
    if count is None or one.kind.group in _TOGETHER:
        return count
    replicas = value_at(one.document, ("spec", "replicas"), 1)
    is_grouped = one.kind in by_kind("grouped") and type(replicas) is int and replicas > 0
    return count // replicas if is_grouped else None


RULE = LintRule(
    "world-size",
    "A distributed job has as many processes as GPUs, on as many nodes as pods.",
    check,
)
