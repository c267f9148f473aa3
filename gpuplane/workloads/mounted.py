"""What a workload keeps and reads: checkpoints, by a claim of their own, data, and its runs."""

from collections.abc import Iterator
from dataclasses import dataclass

from gpuplane.workloads.metadata import companion
from gpuplane.workloads.nvlink_domain import compute_domain
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.run_record import run_variables


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


_CHECKPOINT, _CHECKPOINT_PATH = "checkpoint", "/checkpoint"
_DATA, _DATA_PATH = "data", "/data"


def claim_name(request: Request, purpose: str) -> str:
    return f"{request.name}-{purpose}"


def volume_claim(request: Request, purpose: str, pods: int) -> Iterator[Tree]:
    if request.checkpoint is None:
        return
    mode = Because("ReadWriteOnce", "one pod mounts it")
    if pods > 1:
        why = f"{pods} pods mount it, which may be on several nodes"
        mode = Because("ReadWriteMany", why)
    spec: dict[str, Tree] = {
        "accessModes": [mode],
        "resources": {"requests": {"storage": request.checkpoint}},
    }
    if request.storage_class is not None:
        spec["storageClassName"] = request.storage_class
    name = claim_name(request, purpose)
    yield companion(request, "v1", "PersistentVolumeClaim", spec, name)


def mounted_claim(name: str, claim: Tree, path: str, variable: Tree, **mode: bool) -> Mounted:
    mount = {"name": name, "mountPath": path, **mode}
    return Mounted(({"name": name, "persistentVolumeClaim": claim},), (mount,), (variable,))


def checkpoint_claim(request: Request, pods: int) -> Iterator[Tree]:
    yield from volume_claim(request, _CHECKPOINT, pods)


def _checkpoint(request: Request) -> Mounted:
    if request.checkpoint is None:
        return Mounted()
    claim = {"claimName": claim_name(request, _CHECKPOINT)}
    kept = Because(claim, "it outlives the pods, and the job")
    variable = Because(
        {"name": "CHECKPOINT_DIR", "value": _CHECKPOINT_PATH},
        "write there every 15 to 30 minutes and on SIGTERM, and start from the newest",
    )
    return mounted_claim(_CHECKPOINT, kept, _CHECKPOINT_PATH, variable)


def data(request: Request) -> Mounted:
    if request.data is None:
        return Mounted()
    claim = {"claimName": request.data, "readOnly": True}
    shared = Because(claim, "read by all pods, and written by none")
    variable = {"name": "DATA_DIR", "value": _DATA_PATH}
    return mounted_claim(_DATA, shared, _DATA_PATH, variable, readOnly=True)


def stored(request: Request) -> Mounted:
    return _checkpoint(request) + data(request) + recorded(request)


def recorded(request: Request) -> Mounted:
    return Mounted(env=run_variables(request))


def companions(request: Request, leaders: int = 0) -> Iterator[Tree]:
    """Yield the objects beside the workload's own.

    So many leaders mount the volume for checkpoints beside the pods that compute.
    """
    yield from checkpoint_claim(request, request.nodes + leaders)
    yield from compute_domain(request)
