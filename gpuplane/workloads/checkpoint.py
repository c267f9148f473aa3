"""A volume for what the pods have done so far, from which others go on."""

from collections.abc import Iterator

from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request
from gpuplane.workloads.volume_claim import claim_name, volume_claim

_VOLUME = "checkpoint"
_PATH = "/checkpoint"


def checkpoint_claim(request: Request, pods: int) -> Iterator[Tree]:
    """Yield the claim that so many pods mount, if there is to be one."""
    yield from volume_claim(request, _VOLUME, pods)


def checkpoint(request: Request) -> Mounted:
    """Return the volume in a pod, and the variable by which the program finds it."""
    if request.checkpoint is None:
        return Mounted()
    claim = {"claimName": claim_name(request, _VOLUME)}
    volume = {
        "name": _VOLUME,
        "persistentVolumeClaim": because(claim, "it outlives the pods, and the job"),
    }
    variable = because(
        {"name": "CHECKPOINT_DIR", "value": _PATH},
        "write there every 15 to 30 minutes and on SIGTERM, and start from the newest",
    )
    return Mounted((volume,), ({"name": _VOLUME, "mountPath": _PATH},), (variable,))
