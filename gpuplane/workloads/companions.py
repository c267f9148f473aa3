"""The objects that a workload needs before its pods start."""

from collections.abc import Iterator

from gpuplane.workloads.checkpoint import checkpoint_claim
from gpuplane.workloads.network import compute_domain
from gpuplane.workloads.reason import Tree
from gpuplane.workloads.request import Request


def companions(request: Request, leaders: int = 0) -> Iterator[Tree]:
    """Yield them; so many pods that lead the others mount the volume for checkpoints, too."""
    yield from checkpoint_claim(request, request.nodes + leaders)
    yield from compute_domain(request)
