"""What pods need that share GPU memory over NVLink: a channel, and their places."""

from collections.abc import Iterator
from functools import partial

from charts_py.cluster_file.fault import Problem
from charts_py.platform.nvlink_domain import (
    domains_of,
    in_domains,
    is_placed_by_queue,
    nodes_of_domain,
)
from charts_py.platform.platform import PlatformPool
from charts_py.platform.pod_topology import near_each_other
from charts_py.platform.pool_hardware import NVLINK_DOMAIN
from gpuplane.workloads.metadata import companion
from gpuplane.workloads.network import claims, network
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

_CHANNEL = "channel"
_NODES = ("--nodes",)


def has_domain(request: Request) -> bool:
    """Return whether NVLink joins its nodes, and its pods may claim a channel of that."""
    return network(request).claims_channel and claims(request) >= request.pods


def placed(request: Request) -> dict[str, Tree]:
    """Return the annotations by which Kueue places its pods; none where an affinity does so."""
    if has_domain(request) and is_placed_by_queue(request.platform, request.pool):
        why = "Kueue chooses nodes that NVLink joins"
        annotations = in_domains(request.nodes, request.pool)
    else:
        why = "Kueue chooses nodes as near each other as there is room"
        annotations = near_each_other(request.platform, request.pool)
    return {name: Because(value, why) for name, value in annotations.items()}


def beside_each_other(request: Request, job: Tree) -> Tree:
    """Return terms of affinity to the pods of the job; none where Kueue places them."""
    if is_placed_by_queue(request.platform, request.pool):
        return {}
    term = Because([{**job, "topologyKey": NVLINK_DOMAIN}], "its nodes are of one NVLink domain")
    return {"requiredDuringSchedulingIgnoredDuringExecution": term}


def domain_problems(request: Request) -> Iterator[Problem]:
    """Yield that no domain has as many nodes, or several not as many each.

    The pods of a runtime, which has a framework, are in one domain.
    """
    if not has_domain(request):
        return
    of_runtime = request.framework is not None
    most, domains = nodes_of_domain(request.pool), domains_of(request.nodes, request.pool)
    what = f"NVLink joins {most} nodes of pool {request.pool.name} at most"
    if domains > 1 and (of_runtime or not is_placed_by_queue(request.platform, request.pool)):
        others = "" if of_runtime else ", or more where the pool has a topology, by queues of kueue"
        yield Problem(_NODES, what, f"1 to {most}{others}")
    elif request.nodes % domains:
        what = f"{what}, and {request.nodes} are no {domains} parts of the same size"
        around = range(request.nodes, 0, -1), range(request.nodes, request.nodes + domains)
        even = [next(filter(partial(_is_even, request.pool), numbers)) for numbers in around]
        yield Problem(_NODES, what, " or ".join(map(str, even)))


def _is_even(pool: PlatformPool, nodes: int) -> bool:
    return nodes % domains_of(nodes, pool) == 0


def compute_domain(request: Request) -> Iterator[Tree]:
    if not has_domain(request):
        return
    spec = {
        "numNodes": Because(0, "nodes join as its pods come"),
        "channel": Because(
            {"resourceClaimTemplate": {"name": _domain_name(request)}},
            "GPU memory is shared over NVLink between machines",
        ),
    }
    yield companion(request, "resource.nvidia.com/v1beta1", "ComputeDomain", spec)


def pod_claims(request: Request) -> dict[str, Tree]:
    if not has_domain(request):
        return {}
    claim = {"name": _CHANNEL, "resourceClaimTemplateName": _domain_name(request)}
    return {"resourceClaims": Because([claim], "a channel of the ComputeDomain")}


def container_claims(request: Request) -> dict[str, Tree]:
    if not has_domain(request):
        return {}
    return {"claims": Because([{"name": _CHANNEL}], "a channel of the ComputeDomain")}


def domain_notes(request: Request) -> Iterator[str]:
    if network(request).claims_channel and not has_domain(request):
        yield (
            f"{request.namespace.name} may hold {claims(request)} claims (resourceClaims) and its "
            f"pods need {request.pods}: they share no memory over NVLink between machines"
        )


def _domain_name(request: Request) -> str:
    return f"{request.name}-{_CHANNEL}"
