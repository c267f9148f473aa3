"""A RayJob: a Ray cluster that is made for a program, and ends with it."""

import shlex
from collections.abc import Iterator

from gpuplane.workloads.kind import Kind
from gpuplane.workloads.lifetime import deadline, kept
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.notes import ray_notes
from gpuplane.workloads.pod_template import Container, launcher_pod
from gpuplane.workloads.ray import API_VERSION, ray_cluster
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import LAUNCHER, Request

_RETRIES = 3
_HEAD = _SUBMITTER = LAUNCHER


def build(request: Request) -> Iterator[Tree]:
    """Yield a RayJob."""
    never = because("Never", "the RayJob submits the program again where it is to")
    yield from companions(request, leaders=1)
    yield {
        **queued(request, API_VERSION, "RayJob"),
        "spec": {
            "entrypoint": because(
                shlex.join(("python", *request.program)),
                "runs on the head, and Ray's tasks on workers",
            ),
            "shutdownAfterJobFinishes": because(
                True, "the GPUs are free once the program has ended; Kueue demands it"
            ),
            "backoffLimit": because(_RETRIES, "as often with a new cluster, from a checkpoint"),
            **deadline(request),
            **kept(),
            "rayClusterSpec": ray_cluster(request),
            "submitterPodTemplate": because(
                launcher_pod(
                    request,
                    Container(name="ray-job-submitter", has_home=True),
                    {"restartPolicy": never},
                    is_leader=False,
                ),
                "KubeRay's own has no security context, which restricted namespaces refuse",
            ),
        },
    }


RAYJOB = Kind(
    name="rayjob",
    summary="a program on a Ray cluster of its own",
    build=build,
    beside=_HEAD + _SUBMITTER,
    notes=ray_notes,
)
