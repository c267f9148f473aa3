"""Ray clusters: a head that leads, and workers with GPUs.

https://github.com/ray-project/kuberay, ray-operator/apis/ray/v1/raycluster_types.go at v1.7.0
"""

import re

from gpuplane.workloads.mounted import Mounted, stored
from gpuplane.workloads.pod_template import Container, gpu_pod, launcher_pod, shared_memory
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import LAUNCHER, Request

API_VERSION = "ray.io/v1"

_KNOWN_GPU = r"gpu$|nvidia\.com/mig-\d+g\.\d+gb$"
"""What KubeRay takes for GPUs (ray-operator/controllers/ray/utils/resources.go)."""

_PORTS = {"gcs-server": 6379, "dashboard": 8265, "client": 10001}
"""https://docs.ray.io/en/latest/ray-core/configure.html#ports-configurations"""


def ray_cluster(request: Request) -> Tree:
    """Return `spec` of a RayCluster."""
    return {
        "headGroupSpec": {
            "rayStartParams": {"num-cpus": because("0", "no work runs on the head")},
            "template": launcher_pod(request, _head(), {}, _of_head(request)),
        },
        "workerGroupSpecs": [_workers(request)],
    }


def _head() -> Container:
    ports = [{"name": name, "containerPort": port} for name, port in _PORTS.items()]
    return Container(name="ray-head", fields={"ports": ports}, has_home=True)


def _of_head(request: Request) -> Mounted:
    memory = shared_memory(
        request, LAUNCHER.memory, "Ray keeps the objects of the program there, or on disk"
    )
    return memory + stored(request)


def _workers(request: Request) -> Tree:
    why = "as many from the start to the end: no autoscaler"
    return {
        "groupName": "gpus",
        "replicas": request.nodes,
        "minReplicas": because(request.nodes, why),
        "maxReplicas": because(request.nodes, why),
        "rayStartParams": _start_parameters(request),
        "template": gpu_pod(request, Container(name="ray-worker", has_home=True), {}),
    }


def _start_parameters(request: Request) -> Tree:
    if re.search(_KNOWN_GPU, request.resource.name):
        return because({}, "CPUs, memory and GPUs are those of the limits")
    why = f"KubeRay does not know {request.resource.name} for a GPU"
    return {"num-gpus": because(str(request.gpus), why)}
