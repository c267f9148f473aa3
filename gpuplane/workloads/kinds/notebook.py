"""A notebook server: a Deployment of one pod, its home, and a Service to reach it by.

A Deployment, since the platform scales one to 0 whose GPUs are idle, where the namespace asks for
that. The server's own token is in its log. `/api` answers whoever asks:
https://github.com/jupyter-server/jupyter_server, jupyter_server/services/api/handlers.py
"""

from collections.abc import Iterator

from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.team import IdlePods
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.metadata import companion, queued
from gpuplane.workloads.mounted import (
    Mounted,
    claim_name,
    data,
    mounted_claim,
    recorded,
    volume_claim,
)
from gpuplane.workloads.pod_template import Container, gpu_pod
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

_HOME, _VOLUME = "/home/notebook", "home"
_PORT = 8888
_SELECTED_BY = "app.kubernetes.io/name"


def build(request: Request) -> Iterator[Tree]:
    yield from volume_claim(request, _VOLUME, pods=1)
    service = {
        "selector": {_SELECTED_BY: request.name},
        "ports": [{"name": "http", "port": 80, "targetPort": _PORT}],
    }
    yield companion(request, "v1", "Service", service)
    spec = {
        "replicas": Because(1, "set it to 0 to free its GPUs, and to 1 to go on"),
        "strategy": Because(
            {"type": "Recreate"}, "a second pod would wait for its GPUs and its volume"
        ),
        "selector": {"matchLabels": {_SELECTED_BY: request.name}},
        "template": _template(request),
    }
    yield queued(request, "apps/v1", "Deployment", spec)


def _template(request: Request) -> Tree:
    probe = {"httpGet": {"path": "/api", "port": _PORT}}
    container = Container(
        name="notebook",
        command=[
            "jupyter",
            "lab",
            "--ip=0.0.0.0",
            f"--port={_PORT}",
            "--no-browser",
            f"--ServerApp.root_dir={_HOME if request.checkpoint else '/tmp'}",  # noqa: S108 # its own
        ],
        fields={
            "ports": [{"name": "http", "containerPort": _PORT}],
            "readinessProbe": Because(probe, "the Service leads to it once it answers"),
        },
        labels={_SELECTED_BY: request.name},
        has_home=request.checkpoint is not None,
    )
    return gpu_pod(request, container, {}, _home(request) + data(request) + recorded(request))


def _home(request: Request) -> Mounted:
    if request.checkpoint is None:
        return Mounted()
    claim = {"claimName": claim_name(request, _VOLUME)}
    kept = Because(claim, "what is written in the home outlives the pod")
    variable = Because({"name": "HOME", "value": _HOME}, "settings and caches are kept, too")
    return mounted_claim(_VOLUME, kept, _HOME, variable)


def _notes(request: Request) -> Iterator[str]:
    yield (
        f"to reach it: kubectl -n {request.namespace.name} port-forward service/{request.name} "
        f"{_PORT}:80; its token is in its log"
    )
    if request.namespace.spec.idle_pods is IdlePods.KEEP:
        yield f"it holds its GPUs until it is scaled to 0: {request.namespace.name} keeps idle pods"


NOTEBOOK = Kind(
    name="notebook",
    summary="JupyterLab with a persistent home directory",
    build=build,
    purposes=(Purpose.NOTEBOOKS, Purpose.TRAINING, Purpose.BATCH),
    spreads=False,
    whole_nodes=False,
    has_program=False,
    hours=None,
    notes=_notes,
)
