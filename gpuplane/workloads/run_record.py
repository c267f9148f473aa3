"""The variables by which a program records its run with the model registry of its cluster.

MLflow reads them (https://github.com/mlflow/mlflow, mlflow/environment_variables.py at v3.17.2), as
does the MLflowCallback of transformers, which records in the first process alone.
"""

import json
from collections.abc import Iterator

from charts_py.platform.model_registry import tracking_uri
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpus.platform_names import GPU_MODEL, LABEL_PREFIX

_METRICS = "MLFLOW_ENABLE_SYSTEM_METRICS_LOGGING"


def run_variables(request: Request) -> tuple[Tree, ...]:
    """Return where a run is recorded, and its tags; nothing without a registry."""
    uri = tracking_uri(request.platform)
    return () if uri is None else tuple(_variables(request, uri))


def _variables(request: Request, uri: str) -> Iterator[Tree]:
    why = "of one process alone, that of rank 0: each that starts a run has one of its own"
    yield Because({"name": "MLFLOW_TRACKING_URI", "value": uri}, f"runs are recorded there, {why}")
    experiment = f"{request.namespace.team_name}/{request.model or request.name}"
    yield {"name": "MLFLOW_EXPERIMENT_NAME", "value": experiment}
    tags = Because(json.dumps(dict(_tags(request))), "tags of each run that it starts")
    yield {"name": "MLFLOW_RUN_CONTEXT", "value": tags}
    yield Because({"name": _METRICS, "value": "true"}, "CPUs, memory and GPUs of that pod")


def _tags(request: Request) -> Iterator[tuple[str, str]]:
    yield f"{LABEL_PREFIX}/cluster", request.platform.name
    yield f"{LABEL_PREFIX}/workload", f"{request.namespace.name}/{request.name}"
    yield f"{LABEL_PREFIX}/image", request.image
    if request.data is not None:
        yield f"{LABEL_PREFIX}/dataset", request.data
    yield GPU_MODEL, request.pool.hardware.model.name
    yield f"{LABEL_PREFIX}/gpus", str(request.world_size)


def run_notes(request: Request) -> Iterator[str]:
    if tracking_uri(request.platform) is not None:
        yield (
            "where it records runs with MLflow, its image has to have psutil, and nvidia-ml-py for "
            f"what its GPUs do: without psutil no run starts, unless {_METRICS} is false"
        )
