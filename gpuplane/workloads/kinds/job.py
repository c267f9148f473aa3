"""A Pod, and a Job: of one pod, or of several that start together and number themselves.

https://kubernetes.io/docs/concepts/workloads/controllers/job/
"""

from collections.abc import Iterator

from charts_py.cluster_file.pool import Purpose
from gpuplane.workloads import torchrun
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.lifetime import (
    KEPT,
    KEPT_FOR_ITS_LOG,
    deadline,
    disruptions_ignored,
    so_counted,
)
from gpuplane.workloads.metadata import companion, gang_annotations, queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import gpu_pod
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from policies.workloads.job_label import JOB

_ATTEMPTS = 3
_TYPE = ("batch/v1", "Job")


def _pod(request: Request) -> Iterator[Tree]:
    never = Because("Never", "a program that fails at once would hold its GPUs all day")
    fields = {"restartPolicy": never, **deadline(request)}
    template = gpu_pod(request, torchrun.container(request), fields)
    annotations = template["metadata"].get("annotations", {})
    yield from companions(request)
    yield queued(request, "v1", "Pod", template["spec"], annotations)


def _job(request: Request) -> Iterator[Tree]:
    yield from companions(request)
    if request.nodes > 1:
        yield _service(request)
    tries = _gang(request) if request.nodes > 1 else _single(request)
    spec = {**tries, **deadline(request), **KEPT, "template": _template(request)}
    yield queued(request, *_TYPE, spec, gang_annotations(request, *_TYPE))


def _single(request: Request) -> dict[str, Tree]:
    why = f"fails for good after as many attempts{so_counted(request)}"
    return {"backoffLimit": Because(_ATTEMPTS, why), **disruptions_ignored(request)}


def _service(request: Request) -> Tree:
    spec = {
        "clusterIP": Because("None", "a name for each pod, and no address of its own"),
        "selector": {JOB.key: request.name},
        "publishNotReadyAddresses": Because(
            True, "the pods look for the first one while they start"
        ),
    }
    return companion(request, "v1", "Service", spec)


def _template(request: Request) -> Tree:
    master = f"{request.name}-0.{request.name}"
    container = torchrun.container(request, master)
    fields: dict[str, Tree] = {**KEPT_FOR_ITS_LOG, **together(request, JOB.key)}
    if request.nodes > 1:
        fields["subdomain"] = Because(request.name, "the Service that gives its pods names")
    return gpu_pod(request, container, fields)


def _gang(request: Request) -> dict[str, Tree]:
    return {
        **torchrun.indexed(request),
        "backoffLimit": Because(
            0, "the others cannot go on without one that failed; a jobset starts all of them again"
        ),
        "podReplacementPolicy": Because(
            "Failed", "a pod that is deleted keeps its GPUs until it has ended"
        ),
    }


POD = Kind(
    name="pod",
    summary="a single pod, that nothing starts again",
    build=_pod,
    purposes=(Purpose.NOTEBOOKS, Purpose.TRAINING, Purpose.BATCH),
    spreads=False,
    whole_nodes=False,
)
JOB_KIND = Kind(
    name="job",
    summary="a program that ends; on several nodes, pods that start together",
    build=_job,
    whole_nodes=False,
    annotates_gang=True,
)
