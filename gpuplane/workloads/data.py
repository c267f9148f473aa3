"""A volume with the data that a program reads, which is there already."""

from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.reason import because
from gpuplane.workloads.request import Request

_VOLUME = "data"
_PATH = "/data"


def data(request: Request) -> Mounted:
    """Return the volume in a pod, and the variable by which the program finds it."""
    if request.data is None:
        return Mounted()
    claim = {"claimName": request.data, "readOnly": True}
    volume = {
        "name": _VOLUME,
        "persistentVolumeClaim": because(claim, "read by all pods, and written by none"),
    }
    mount = {"name": _VOLUME, "mountPath": _PATH, "readOnly": True}
    return Mounted((volume,), (mount,), ({"name": "DATA_DIR", "value": _PATH},))
