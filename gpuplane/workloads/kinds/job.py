"""A Job: of one pod, or of several that start together and number themselves.

https://kubernetes.io/docs/concepts/workloads/controllers/job/
"""

from collections.abc import Iterator

from gpuplane.workloads import torchrun
from gpuplane.workloads.job_set import gang_annotations
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.lifetime import deadline, disruptions_ignored, kept, kept_for_its_log
from gpuplane.workloads.metadata import named, queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import Container, gpu_pod
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request
from policies.workloads.job_label import JOB


def headless_service(request: Request, job_label: str) -> Tree:
    """Return the Service of a kind that makes none of its own."""
    spec = {
        "clusterIP": because("None", "a name for each pod, and no address of its own"),
        "selector": {job_label: request.name},
        "publishNotReadyAddresses": because(
            True, "the pods look for the first one while they start"
        ),
    }
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {**named(request, request.name), "labels": dict(request.labels)},
        "spec": spec,
    }


_INDEX = "metadata.labels['batch.kubernetes.io/job-completion-index']"
_ATTEMPTS = 3
_TYPE = ("batch/v1", "Job")


def build(request: Request) -> Iterator[Tree]:
    """Yield a Job, and the Service by which its pods find each other where there are several."""
    yield from companions(request)
    if request.nodes > 1:
        yield headless_service(request, JOB.key)
    spec = {**_gang(request)} if request.nodes > 1 else {**_single()}
    yield {
        **queued(request, *_TYPE, gang_annotations(request, *_TYPE)),
        "spec": {**spec, **deadline(request), **kept(), "template": _template(request)},
    }


def _template(request: Request) -> Tree:
    master = f"{request.name}-0.{request.name}"
    container = Container(
        command=torchrun.command(request),
        env=(*torchrun.ranks(request, master, _INDEX), *torchrun.env(request)),
    )
    fields: dict[str, Tree] = {
        **kept_for_its_log(),
        **together(request, JOB.key),
    }
    if request.nodes > 1:
        fields["subdomain"] = because(request.name, "the Service that gives its pods names")
    return gpu_pod(request, container, fields)


def _single() -> dict[str, Tree]:
    return {
        "backoffLimit": because(_ATTEMPTS, "fails for good after as many attempts"),
        **disruptions_ignored(),
    }


def _gang(request: Request) -> dict[str, Tree]:
    return {
        "completionMode": because("Indexed", "each pod has a number, the rank of its node"),
        "completions": because(request.nodes, "every pod has to succeed"),
        "parallelism": because(request.nodes, "all of them run at once"),
        "backoffLimit": because(
            0, "the others cannot go on without one that failed; a jobset starts all of them again"
        ),
    }


JOB_KIND = Kind(
    name="job",
    summary="a program that ends; on several nodes, pods that start together",
    build=build,
    whole_nodes=False,
    annotates_gang=True,
)
