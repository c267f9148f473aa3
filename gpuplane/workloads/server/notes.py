"""What is to be said of any server."""

from collections.abc import Iterator

from charts_py.cluster_file.pool import Purpose
from gpuplane.workloads.network import capabilities, network
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.canary import canary_notes
from gpuplane.workloads.server.drain import drain
from gpuplane.workloads.server.ports import leader_service
from gpuplane.workloads.server.start import new_pod_seconds
from gpus.instance_type import Interconnect
from gpus.model import AMD


def server_notes(request: Request) -> Iterator[str]:
    yield from canary_notes(request)
    yield from _route_note(request)
    if request.copies > 1:
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
            "its image has to have libfabric, by which NIXL reads KV caches over EFA"
            if request.prefill_replicas
            else "its image has to have libfabric and NCCL's plugin for EFA (aws-ofi-nccl), "
            "without which NCCL talks over TCP"
        )
    if request.pool.facts.spot_taint is not None:
        yield (
            f"pool {request.pool.name} is spot: all replicas may go at once, and each has "
            f"{drain(request).whole} seconds then"
        )


def _route_note(request: Request) -> Iterator[str]:
    """Yield which route leads to what no usual one does."""
    serves = request.namespace.spec.purpose is Purpose.INFERENCE
    if not serves or request.platform.cluster.serving.gateway is None:
        return
    name = request.name
    where = f"--cluster {request.platform.name} --namespace {request.namespace.name}"
    command = f"gpuplane new route {name} {where}"
    if request.sleeps:
        seconds = new_pod_seconds(request)
        yield (
            f"`{command} --cold-start {seconds}` leads requests to the interceptor, by which alone "
            f"they wake it; one may wait {seconds} seconds"
        )
    elif request.prefill_replicas or request.nodes > 1:
        to = f"pool/{name}" if request.served.picker else leader_service(request)
        why = f"{name} is the Service that LeaderWorkerSet makes, which has no ports"
        if request.prefill_replicas:
            why = "its Service leads to decode alone, which then computes prompts itself"
        yield f"`{command} --to {to}` leads requests to it: {why}"
