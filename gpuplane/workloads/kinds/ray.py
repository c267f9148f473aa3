"""Ray clusters of KubeRay: a head that leads, and workers with GPUs.

A RayJob makes one for a program, and ends it with it; a RayCluster runs until it is deleted.
https://github.com/ray-project/kuberay, ray-operator/apis/ray/v1/raycluster_types.go at v1.7.0
"""

import re
import shlex
from collections.abc import Iterator

from charts_py.cluster_file.pool import Purpose
from gpuplane.workloads.kind import Kind, not_installed
from gpuplane.workloads.lifetime import KEPT, deadline
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions, stored
from gpuplane.workloads.pod_template import Container, gpu_pod, launcher_pod, shared_memory
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import LAUNCHER, Request

_API_VERSION = "ray.io/v1"
_RETRIES = 3
_HEAD = _SUBMITTER = LAUNCHER
_KNOWN_GPU = r"gpu$|nvidia\.com/mig-\d+g\.\d+gb$"
"""What KubeRay takes for GPUs (ray-operator/controllers/ray/utils/resources.go)."""
_PORTS = {"gcs-server": 6379, "dashboard": 8265, "client": 10001}
"""https://docs.ray.io/en/latest/ray-core/configure.html#ports-configurations"""


def _ray_job(request: Request) -> Iterator[Tree]:
    never = Because("Never", "the RayJob submits the program again where it is to")
    submitter = Container(name="ray-job-submitter", has_home=True)
    yield from companions(request, leaders=1)
    spec = {
        "entrypoint": Because(
            shlex.join(("python", *request.program)), "runs on the head, and Ray's tasks on workers"
        ),
        "shutdownAfterJobFinishes": Because(
            True, "the GPUs are free once the program has ended; Kueue demands it"
        ),
        "backoffLimit": Because(_RETRIES, "as often with a new cluster, from a checkpoint"),
        **deadline(request),
        **KEPT,
        "rayClusterSpec": _cluster(request),
        "submitterPodTemplate": Because(
            launcher_pod(request, submitter, {"restartPolicy": never}, is_leader=False),
            "KubeRay's own has no security context, which restricted namespaces refuse",
        ),
    }
    yield queued(request, _API_VERSION, "RayJob", spec)


def _ray_cluster(request: Request) -> Iterator[Tree]:
    yield from companions(request, leaders=1)
    yield queued(request, _API_VERSION, "RayCluster", _cluster(request))


def _cluster(request: Request) -> Tree:
    ports = [{"name": name, "containerPort": port} for name, port in _PORTS.items()]
    head = Container(name="ray-head", fields={"ports": ports}, has_home=True)
    memory = shared_memory(
        request, _HEAD.memory, "Ray keeps the objects of the program there, or on disk"
    )
    return {
        "headGroupSpec": {
            "rayStartParams": {"num-cpus": Because("0", "no work runs on the head")},
            "template": launcher_pod(request, head, {}, memory + stored(request)),
        },
        "workerGroupSpecs": [_workers(request)],
    }


def _workers(request: Request) -> Tree:
    why = "as many from the start to the end: no autoscaler"
    return {
        "groupName": "gpus",
        "replicas": request.nodes,
        "minReplicas": Because(request.nodes, why),
        "maxReplicas": Because(request.nodes, why),
        "rayStartParams": _start_parameters(request),
        "template": gpu_pod(request, Container(name="ray-worker", has_home=True), {}),
    }


def _start_parameters(request: Request) -> Tree:
    if re.search(_KNOWN_GPU, request.resource.name):
        return Because({}, "CPUs, memory and GPUs are those of the limits")
    why = f"KubeRay does not know {request.resource.name} for a GPU"
    return {"num-gpus": Because(str(request.gpus), why)}


def _notes(request: Request) -> Iterator[str]:
    if request.platform.cluster.training.ray is None:
        yield not_installed(request, "KubeRay", "training.ray")


def _cluster_notes(request: Request) -> Iterator[str]:
    yield from _notes(request)
    yield "a RayCluster holds its GPUs until it is deleted; a rayjob ends with its program"


RAYJOB = Kind(
    name="rayjob",
    summary="a program on a Ray cluster of its own",
    build=_ray_job,
    beside=_HEAD + _SUBMITTER,
    notes=_notes,
)
RAYCLUSTER = Kind(
    name="raycluster",
    summary="a Ray cluster to work on",
    build=_ray_cluster,
    beside=_HEAD,
    purposes=(Purpose.NOTEBOOKS, Purpose.TRAINING, Purpose.BATCH),
    has_program=False,
    hours=None,
    notes=_cluster_notes,
)
