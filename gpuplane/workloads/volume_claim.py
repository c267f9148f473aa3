"""A claim of a volume that outlives the pods of a workload."""

from collections.abc import Iterator

from gpuplane.workloads.metadata import named
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request


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
