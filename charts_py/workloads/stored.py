"""What pods that compute find on volumes that outlive them."""

from charts_py.workloads.checkpoint import checkpoint
from charts_py.workloads.data import data
from charts_py.workloads.mounted import Mounted
from charts_py.workloads.request import Request


def stored(request: Request) -> Mounted:
    """Return the checkpoints of the workload, and the data that it reads."""
    return checkpoint(request) + data(request)
