"""What is to be said of any server."""

from collections.abc import Iterator

from gpuplane.workloads.request import Request
from gpuplane.workloads.server.drain import drain


def server_notes(request: Request) -> Iterator[str]:
    if request.most_replicas > 1:
        yield (
            "only admins of the team may create its PodDisruptionBudget; without it, a drain of "
            "nodes takes all replicas at once"
        )
    if request.pool.facts.spot_taint is not None:
        yield (
            f"pool {request.pool.name} is spot: all replicas may go at once, and each has "
            f"{drain(request).whole} seconds then"
        )
