"""A single pod."""

from collections.abc import Iterator

from charts_py.cluster_file.pool import Purpose
from gpuplane.workloads import torchrun
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.lifetime import deadline
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.pod_template import gpu_pod
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request


def build(request: Request) -> Iterator[Tree]:
    never = Because("Never", "a program that fails at once would hold its GPUs all day")
    fields = {"restartPolicy": never, **deadline(request)}
    template = gpu_pod(request, torchrun.container(request), fields)
    annotations = template["metadata"].get("annotations", {})
    yield from companions(request)
    yield queued(request, "v1", "Pod", template["spec"], annotations)


POD = Kind(
    name="pod",
    summary="a single pod, that nothing starts again",
    build=build,
    purposes=(Purpose.NOTEBOOKS, Purpose.TRAINING, Purpose.BATCH),
    spreads=False,
    whole_nodes=False,
)
