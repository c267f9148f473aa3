"""A RayCluster, which runs until it is deleted."""

from collections.abc import Iterator

from charts_py.cluster_file.pool import Purpose
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.notes import ray_notes
from gpuplane.workloads.ray import API_VERSION, ray_cluster
from gpuplane.workloads.reason import Tree
from gpuplane.workloads.request import LAUNCHER, Request


def build(request: Request) -> Iterator[Tree]:
    """Yield a RayCluster."""
    yield from companions(request, leaders=1)
    yield {
        **queued(request, API_VERSION, "RayCluster"),
        "spec": ray_cluster(request),
    }


def _notes(request: Request) -> Iterator[str]:
    yield from ray_notes(request)
    yield "a RayCluster holds its GPUs until it is deleted; a rayjob ends with its program"


RAYCLUSTER = Kind(
    name="raycluster",
    summary="a Ray cluster to work on",
    build=build,
    beside=LAUNCHER,
    purposes=(Purpose.NOTEBOOKS, Purpose.TRAINING, Purpose.BATCH),
    has_program=False,
    notes=_notes,
)
