"""What pods that compute find on volumes that outlive them."""

from gpuplane.workloads.checkpoint import checkpoint
from gpuplane.workloads.data import data
from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.request import Request


def stored(request: Request) -> Mounted:
    """Return the checkpoints of the workload, and the data that it reads."""
    return checkpoint(request) + data(request)
