"""A distributed job has as many processes as GPUs, on as many nodes as pods.

With more processes than GPUs, NCCL refuses two on one GPU ("Duplicate GPU detected"); with fewer,
GPUs stand idle. With more nodes than pods, all pods wait until the rendezvous times out.
https://docs.pytorch.org/docs/stable/elastic/run.html

Only numbers that are stated literally are compared. One process with several GPUs is left alone, as
are jobs of one pod, of which several can be one.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.gpu_pod import GpuPod, whole_gpus
from gpuplane.lint.launched_processes import launched_processes
from gpuplane.lint.lint_object import LintObject
from gpuplane.lint.pods_of_job import pods_together, stated_sizes
from gpuplane.lint.ray_gpus import ray_gpus
from gpuplane.lint.stated_number import StatedNumber, StatedOptions, variables, whole_number
from gpuplane.lint.template_rule import TemplateContext, TemplateFinding, TemplateRule
from policies.document import members, pointer
from policies.settings import JobKind

_PROCESSES = ("nproc-per-node", "num-gpus")
_PROCESS_VARIABLES = ("NPROC_PER_NODE", "GPUS_PER_NODE", "LOCAL_WORLD_SIZE", "PET_NPROC_PER_NODE")
_IN_ALL, _MACHINES = ("num-processes",), ("num-machines",)
"""https://huggingface.co/docs/accelerate/package_reference/cli"""
_NODES = ("nnodes", "num-nodes", "num-machines")
_NODE_VARIABLES = ("NNODES", "PET_NNODES")
_WORLD = ("WORLD_SIZE",)
_OF_OBJECT = {
    JobKind("kubeflow.org", "MPIJob"): ("spec", "slotsPerWorker"),
    JobKind("kubeflow.org", "PyTorchJob"): ("spec", "nprocPerNode"),
    JobKind("trainer.kubeflow.org", "TrainJob"): ("spec", "trainer", "numProcPerNode"),
}
"""Where each kind says how many processes a pod runs."""


class _Job(NamedTuple):
    """The sizes that a job states."""

    pods: int | None
    sizes: frozenset[int]
    """Of single templates, which may each be a job of their own."""


def check(one: LintObject, _context: TemplateContext) -> Iterator[TemplateFinding]:
    """Find numbers of processes and nodes that fit no other number of the job."""
    if not one.gpu_pods:
        return
    job = _Job(pods_together(one), frozenset(stated_sizes(one)))
    yield from _of_object(one)
    yield from launched_processes(one)
    yield from ray_gpus(one)
    for pod in one.gpu_pods:
        for finding in _of_pod(pod, job):
            yield finding._replace(pointer=f"{pod.pointer}{finding.pointer}")


def _of_object(one: LintObject) -> Iterator[TemplateFinding]:
    field, pods = _OF_OBJECT.get(one.kind), one.gpu_pods
    if field is None or any(len(pod.pod.gpu_containers) != 1 for pod in pods):
        return
    gpus = {whole_gpus(container) for pod in pods for container in pod.pod.gpu_containers}
    holder = one.document
    for name in field[:-1]:
        holder = dict(members(holder.get(name)))
    value = whole_number(holder.get(field[-1]))
    if value is not None and len(gpus) == 1:
        yield from _processes(StatedNumber(pointer(*field), field[-1], value), gpus.pop())


def _of_pod(pod: GpuPod, job: _Job) -> Iterator[TemplateFinding]:
    for container in pod.pod.gpu_containers:
        gpus = whole_gpus(container)
        options = StatedOptions(container)
        processes = [*variables(container, _PROCESS_VARIABLES), options.number(_PROCESSES)]
        nodes = [*variables(container, _NODE_VARIABLES), options.number(_NODES)]
        for stated in filter(None, processes):
            yield from _processes(stated, gpus)
        for stated in filter(None, nodes):
            yield from _nodes(stated, job)
        yield from _in_all(options, job, gpus)
        for stated in variables(container, _WORLD):
            yield from _world(stated, job, gpus, [each.value for each in processes if each])


def _in_all(options: StatedOptions, job: _Job, gpus: int | None) -> Iterator[TemplateFinding]:
    """Find a number of processes on all machines together, as `accelerate launch` takes it."""
    stated, machines = options.number(_IN_ALL), options.number(_MACHINES)
    count = job.pods if machines is None else machines.value
    if stated is None or gpus is None or count is None or stated.value in (1, count * gpus):
        return
    yield TemplateFinding(
        stated.pointer,
        f"{stated.name} is {stated.value}, but {count} x {gpus} GPUs make {count * gpus}.",
        f"Set it to {count * gpus}: it is the number on all machines together.",
    )


def _processes(stated: StatedNumber, gpus: int | None) -> Iterator[TemplateFinding]:
    if gpus is None or stated.value in (0, 1, gpus):
        return
    than = "more" if stated.value > gpus else "fewer"
    yield TemplateFinding(
        stated.pointer,
        f"{stated.name} is {stated.value}, which is {than} than the GPUs of the container "
        f"({gpus}).",
        f"Set it to {gpus}, or ask for {stated.value} GPUs.",
    )


def _nodes(stated: StatedNumber, job: _Job) -> Iterator[TemplateFinding]:
    if job.pods is None or stated.value == job.pods or stated.value in job.sizes:
        return
    yield TemplateFinding(
        stated.pointer,
        f"{stated.name} is {stated.value}, but {job.pods} pods of the job run together.",
        f"Set it to {job.pods}, or run {stated.value} pods.",
    )


def _world(
    stated: StatedNumber, job: _Job, gpus: int | None, processes: list[int]
) -> Iterator[TemplateFinding]:
    if job.pods is None or gpus is None:
        return
    sizes = {job.pods, *job.sizes}
    # Some start one process in each pod, which starts the others.
    fitting = {size * each for size in sizes for each in (1, gpus, *processes)}
    if stated.value not in fitting:
        yield TemplateFinding(
            stated.pointer,
            f"{stated.name} is {stated.value}, but {job.pods} pods with {gpus} GPUs each make"
            f" {job.pods * gpus}.",
            f"Set it to {job.pods * gpus}, or leave it to what starts the processes.",
        )


RULE = TemplateRule(
    "world-size",
    summary="A distributed job has as many processes as GPUs, on as many nodes as pods.",
    severity=LintSeverity.WARNING,
    check=check,
)
