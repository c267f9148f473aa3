"""A claim of a volume that outlives the pods of a workload."""

from collections.abc import Iterator

from charts_py.workloads.metadata import named
from charts_py.workloads.reason import Tree, because
from charts_py.workloads.request import Request


def claim_name(request: Request, purpose: str) -> str:
    """Return the name of the claim."""
    return f"{request.name}-{purpose}"


def volume_claim(request: Request, purpose: str) -> Iterator[Tree]:
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
        "metadata": {
            **named(request, claim_name(request, purpose)),
            "labels": dict(request.labels),
        },
        "spec": spec,
    }


def _access_mode(request: Request) -> Tree:
    if request.nodes > 1:
        return because("ReadWriteMany", f"{request.nodes} pods on several nodes mount it")
    return because("ReadWriteOnce", "one pod mounts it")
