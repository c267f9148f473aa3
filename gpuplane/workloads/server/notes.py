"""What is to be said of any server."""

from collections.abc import Iterator

from gpuplane.workloads.network import capabilities, network
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.canary import canary_notes
from gpuplane.workloads.server.drain import drain
from gpus.instance_type import Interconnect
from gpus.model import AMD


def server_notes(request: Request) -> Iterator[str]:
    yield from canary_notes(request)
    if request.most_replicas > 1:
        yield (
            "only admins of the team may create its PodDisruptionBudget; without it, a drain of "
            "nodes takes all replicas at once"
        )
    if request.pool.vendor == AMD and not capabilities(request):
        # https://github.com/ROCm/k8s-device-plugin/issues/39
        yield (
            "its user is not root: where only a group may open /dev/kfd on the nodes, add the "
            "number of that group to supplementalGroups"
        )
    if network(request).resources and request.pool.hardware.interconnect is Interconnect.EFA:
        yield (
            "its image has to have libfabric and NCCL's plugin for EFA (aws-ofi-nccl), without "
            "which NCCL talks over TCP"
        )
    if request.pool.facts.spot_taint is not None:
        yield (
            f"pool {request.pool.name} is spot: all replicas may go at once, and each has "
            f"{drain(request).whole} seconds then"
        )
