"""What pods of several nodes need to talk over their pool's network."""

from collections.abc import Iterator
from dataclasses import replace

from charts_py.platform.fabric import Fabric, fabric, is_whole, runtime_levels
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpus.instance_type import Interconnect
from policies.settings import PodSecurity

_CARRIES_KV = (Interconnect.EFA, Interconnect.INFINIBAND, Interconnect.ROCE)
"""By libfabric and UCX, of which NIXL makes use; GPUDirect-TCPX is for NCCL alone."""


def network(request: Request) -> Fabric:
    """Return what each pod needs: nothing unless there are several, each with a whole node."""
    takes_nodes = is_whole(request.pool) and request.gpus == request.pool.hardware.gpus
    if not takes_nodes or not request.is_collective:
        return Fabric()
    if request.prefill_replicas:
        return _of_roles(request)
    if request.nodes == 1:
        return Fabric()
    of_runtime = request.framework is not None
    levels = runtime_levels(request.platform, request.pool) if of_runtime else ()
    own = request.namespace.spec.pod_security
    return fabric(request.platform, request.pool, {own, *levels})


def _of_roles(request: Request) -> Fabric:
    """Return what prefill needs to hand a KV cache over to decode, which are one pod each."""
    if request.pool.hardware.interconnect not in _CARRIES_KV:
        return Fabric()
    found = fabric(request.platform, request.pool, {request.namespace.spec.pod_security})
    return replace(found, claims_channel=False)


def devices(request: Request) -> dict[str, Tree]:
    interconnect = request.pool.hardware.interconnect.value
    why = f"all interfaces of a node of pool {request.pool.name} with {interconnect}"
    resources = network(request).resources
    return {name: Because(str(count), why) for name, count in resources.items()}


def variables(request: Request) -> Iterator[Tree]:
    why = f"for NCCL, on the network of pool {request.pool.name}"
    for name, value in network(request).environment.items():
        yield Because({"name": name, "value": value}, why)


def interfaces(request: Request) -> dict[str, Tree]:
    """Return the annotations of each pod that give it the interfaces."""
    why = f"interfaces of pool {request.pool.name} with {request.pool.hardware.interconnect}"
    return {name: Because(each, why) for name, each in network(request).annotations.items()}


def network_containers(request: Request) -> list[Tree]:
    """Return the containers that start before the one with the GPUs."""
    why = f"sets up the network of pool {request.pool.name}"
    of = request.platform.mirrors.of
    return [Because({**each, "image": of(each["image"])}, why) for each in network(request).beside]


def capabilities(request: Request) -> tuple[str, ...]:
    """Return the Linux capabilities that it needs, where the namespace allows any."""
    return network(request).capabilities if _is_privileged(request) else ()


def network_notes(request: Request) -> Iterator[str]:
    needed = network(request)
    if needed.missing is not None:
        yield f"its pods talk over TCP: {needed.missing}"
    if needed.capabilities and not _is_privileged(request):
        yield (
            f"{request.namespace.name} does not allow {', '.join(needed.capabilities)} "
            "(podSecurity): where the container runtime bounds locked memory, NCCL cannot register "
            "what it sends"
        )


def _is_privileged(request: Request) -> bool:
    return request.namespace.spec.pod_security is PodSecurity.PRIVILEGED


def claims(request: Request) -> int:
    return request.namespace.spec.quota.resource_claims or 0
