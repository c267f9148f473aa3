"""What pods of several nodes need to talk over their pool's network, and over NVLink."""

from collections.abc import Iterator

from charts_py.cluster_file.team import PodSecurity
from charts_py.platform.fabric import Fabric, fabric, is_whole
from gpuplane.workloads.metadata import named
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request

_CHANNEL = "channel"


def network(request: Request) -> Fabric:
    """Return what each pod needs: nothing unless there are several, each with a whole node."""
    takes_nodes = is_whole(request.pool) and request.gpus == request.pool.hardware.gpus
    if request.nodes == 1 or not takes_nodes or not request.is_collective:
        return Fabric()
    return fabric(request.platform, request.pool)


def has_domain(request: Request) -> bool:
    """Return whether NVLink joins its nodes, and its pods may claim a channel of that."""
    return network(request).claims_channel and _claims(request) >= request.nodes


def domain_name(request: Request) -> str:
    """Return the name of the template of its pods' claims."""
    return f"{request.name}-{_CHANNEL}"


def compute_domain(request: Request) -> Iterator[Tree]:
    """Yield the ComputeDomain of its pods, where NVLink joins their nodes."""
    if not has_domain(request):
        return
    yield {
        "apiVersion": "resource.nvidia.com/v1beta1",
        "kind": "ComputeDomain",
        "metadata": {**named(request, request.name), "labels": dict(request.labels)},
        "spec": {
            "numNodes": because(0, "nodes join as its pods come"),
            "channel": because(
                {"resourceClaimTemplate": {"name": domain_name(request)}},
                "GPU memory is shared over NVLink between machines",
            ),
        },
    }


def pod_claims(request: Request) -> dict[str, Tree]:
    """Return the field of a pod that claims a channel."""
    if not has_domain(request):
        return {}
    claim = {"name": _CHANNEL, "resourceClaimTemplateName": domain_name(request)}
    return {"resourceClaims": because([claim], "a channel of the ComputeDomain")}


def container_claims(request: Request) -> dict[str, Tree]:
    """Return the field of a container's resources that uses it."""
    if not has_domain(request):
        return {}
    return {"claims": because([{"name": _CHANNEL}], "a channel of the ComputeDomain")}


def devices(request: Request) -> dict[str, Tree]:
    """Return the limits of a container on interfaces of the network."""
    interconnect = request.pool.hardware.interconnect.value
    why = f"all interfaces of a node of pool {request.pool.name} with {interconnect}"
    resources = network(request).resources
    return {name: because(str(count), why) for name, count in resources.items()}


def variables(request: Request) -> Iterator[Tree]:
    """Yield the variables by which NCCL takes that network."""
    why = f"for NCCL, on the network of pool {request.pool.name}"
    for name, value in network(request).environment.items():
        yield because({"name": name, "value": value}, why)


def capabilities(request: Request) -> tuple[str, ...]:
    """Return the Linux capabilities that it needs, where the namespace allows any."""
    return network(request).capabilities if _is_privileged(request) else ()


def network_notes(request: Request) -> Iterator[str]:
    """Yield what keeps its pods from using the network, or may."""
    needed = network(request)
    if needed.missing is not None:
        yield f"its pods talk over TCP: {needed.missing}"
    if needed.capabilities and not _is_privileged(request):
        yield (
            f"{request.namespace.name} does not allow {', '.join(needed.capabilities)} "
            "(podSecurity): where the container runtime bounds locked memory, NCCL cannot register "
            "what it sends"
        )
    if needed.claims_channel and not has_domain(request):
        yield (
            f"{request.namespace.name} may hold {_claims(request)} claims (resourceClaims) and its "
            f"pods need {request.nodes}: they share no memory over NVLink between machines"
        )


def _is_privileged(request: Request) -> bool:
    return request.namespace.spec.pod_security is PodSecurity.PRIVILEGED


def _claims(request: Request) -> int:
    return request.namespace.spec.quota.resource_claims or 0
