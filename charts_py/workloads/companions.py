"""The objects that a workload needs before its pods start."""

from collections.abc import Iterator

from charts_py.workloads.checkpoint import checkpoint_claim
from charts_py.workloads.network import compute_domain
from charts_py.workloads.reason import Tree
from charts_py.workloads.request import Request


def companions(request: Request, leaders: int = 0) -> Iterator[Tree]:
    """Yield them; so many pods that lead the others mount the volume for checkpoints, too."""
    yield from checkpoint_claim(request, request.nodes + leaders)
    yield from compute_domain(request)
