"""What a workload mounts: checkpoints, which get a claim of their own, and data that is there."""

from collections.abc import Iterator
from dataclasses import dataclass

from gpuplane.workloads.metadata import named
from gpuplane.workloads.network import compute_domain
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request


@dataclass(frozen=True, slots=True)
class Mounted:
    """Volumes of a pod, where a container has them, and the variables that say so."""

    volumes: tuple[Tree, ...] = ()
    mounts: tuple[Tree, ...] = ()
    env: tuple[Tree, ...] = ()

    def __add__(self, other: "Mounted") -> "Mounted":
        return Mounted(
            self.volumes + other.volumes, self.mounts + other.mounts, self.env + other.env
        )


_CHECKPOINT = "checkpoint"
_CHECKPOINT_PATH = "/checkpoint"
_DATA = "data"
_DATA_PATH = "/data"


def claim_name(request: Request, purpose: str) -> str:
    """Return the name of the claim."""
    return f"{request.name}-{purpose}"


def volume_claim(request: Request, purpose: str, pods: int) -> Iterator[Tree]:
    """Yield the claim that so many pods mount, if there is to be one."""
    if request.checkpoint is None:
        return
    spec: dict[str, Tree] = {
        "accessModes": [_access_mode(pods)],
        "resources": {"requests": {"storage": request.checkpoint}},
    }
    if request.storage_class is not None:
        spec["storageClassName"] = request.storage_class
    yield {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            **named(request, claim_name(request, purpose)),
            "labels": dict(request.labels),
        },
        "spec": spec,
    }


def _access_mode(pods: int) -> Tree:
    if pods > 1:
        return because("ReadWriteMany", f"{pods} pods mount it, which may be on several nodes")
    return because("ReadWriteOnce", "one pod mounts it")


def checkpoint_claim(request: Request, pods: int) -> Iterator[Tree]:
    """Yield the claim that so many pods mount, if there is to be one."""
    yield from volume_claim(request, _CHECKPOINT, pods)


def checkpoint(request: Request) -> Mounted:
    """Return the volume in a pod, and the variable by which the program finds it."""
    if request.checkpoint is None:
        return Mounted()
    claim = {"claimName": claim_name(request, _CHECKPOINT)}
    volume = {
        "name": _CHECKPOINT,
        "persistentVolumeClaim": because(claim, "it outlives the pods, and the job"),
    }
    variable = because(
        {"name": "CHECKPOINT_DIR", "value": _CHECKPOINT_PATH},
        "write there every 15 to 30 minutes and on SIGTERM, and start from the newest",
    )
    return Mounted((volume,), ({"name": _CHECKPOINT, "mountPath": _CHECKPOINT_PATH},), (variable,))


def data(request: Request) -> Mounted:
    """Return the volume in a pod, and the variable by which the program finds it."""
    if request.data is None:
        return Mounted()
    claim = {"claimName": request.data, "readOnly": True}
    volume = {
        "name": _DATA,
        "persistentVolumeClaim": because(claim, "read by all pods, and written by none"),
    }
    mount = {"name": _DATA, "mountPath": _DATA_PATH, "readOnly": True}
    return Mounted((volume,), (mount,), ({"name": "DATA_DIR", "value": _DATA_PATH},))


def stored(request: Request) -> Mounted:
    """Return the checkpoints of the workload, and the data that it reads."""
    return checkpoint(request) + data(request)


def companions(request: Request, leaders: int = 0) -> Iterator[Tree]:
    """Yield them; so many pods that lead the others mount the volume for checkpoints, too."""
    yield from checkpoint_claim(request, request.nodes + leaders)
    yield from compute_domain(request)
