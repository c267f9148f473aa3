"""`/dev/shm` in pods."""

from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.reason import because
from gpuplane.workloads.request import Request
from gpus.sharing import SharingKind
from policies.quantity import format_bytes
from policies.rules.shared_memory import PATH, share_of_memory

_VOLUME = "shm"


_GPU_PODS = "data loaders and NCCL need more than the 64 MiB of the runtime"


def gpu_shared_memory(request: Request, memory: int) -> Mounted:
    """Return memory at `/dev/shm`, for a container with GPUs and that limit in bytes.

    Nothing where GPUs are shared by MPS, whose own memory it would hide.
    """
    if request.pool.facts.sharing.kind is SharingKind.MPS:
        return Mounted()
    return shared_memory(request, memory, _GPU_PODS)


def shared_memory(request: Request, memory: int, why: str) -> Mounted:
    """Return memory at `/dev/shm`, for a container with that limit in bytes."""
    size = format_bytes(share_of_memory(memory, request.settings.shared_memory))
    volume = {"name": _VOLUME, "emptyDir": {"medium": "Memory", "sizeLimit": size}}
    mount = {"name": _VOLUME, "mountPath": PATH}
    return Mounted((because(volume, why),), (mount,))
