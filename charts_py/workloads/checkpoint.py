"""A volume that outlives the pods: what they have done so far, from which they go on."""

from collections.abc import Iterator

from charts_py.workloads.metadata import named
from charts_py.workloads.mounted import Mounted
from charts_py.workloads.reason import Tree, because
from charts_py.workloads.request import Request

_VOLUME = "checkpoint"
_PATH = "/checkpoint"


def claim_name(request: Request) -> str:
    """Return the name of the claim."""
    return f"{request.name}-checkpoint"


def checkpoint_claim(request: Request) -> Iterator[Tree]:
    """Yield the claim, if there is to be one."""
    if request.checkpoint is None:
        return
    spec: dict[str, Tree] = {
        "accessModes": [_access_mode(request)],
        "resources": {"requests": {"storage": request.checkpoint}},
    }
    if request.storage_class is not None:
        spec["storageClassName"] = request.storage_class
    yield {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {**named(request, claim_name(request)), "labels": dict(request.labels)},
        "spec": spec,
    }


def checkpoint(request: Request) -> Mounted:
    """Return the volume in a pod, and the variable by which the program finds it."""
    if request.checkpoint is None:
        return Mounted()
    volume = {
        "name": _VOLUME,
        "persistentVolumeClaim": because(
            {"claimName": claim_name(request)}, "it outlives the pods, and the job"
        ),
    }
    variable = {
        "name": "CHECKPOINT_DIR",
        "value": _PATH,
    }
    why = "write there every 15 to 30 minutes and on SIGTERM, and start from the newest"
    return Mounted((volume,), ({"name": _VOLUME, "mountPath": _PATH},), (because(variable, why),))


def _access_mode(request: Request) -> Tree:
    if request.nodes > 1:
        return because("ReadWriteMany", f"{request.nodes} pods on several nodes mount it")
    return because("ReadWriteOnce", "one pod mounts it")
