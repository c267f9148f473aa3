"""Whether a rollout of a server starts a new replica before an old one goes."""

from dataclasses import replace

from gpuplane.workloads.compute import gpu_compute
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.place import Place
from gpuplane.workloads.request import Request

SURGE_OF_ROLES = 2
"""A rollout of a DisaggregatedSet starts a replica of each role before it ends old ones, and waits
for both (pkg/controllers/disaggregatedset/planner.go of https://github.com/kubernetes-sigs/lws at
v0.10.0)."""


def with_surge(request: Request, kind: Kind, place: Place) -> Request:
    """Return the request with a replica more during rollouts, where there is room for one."""
    if request.prefill_replicas:
        return replace(request, surge=SURGE_OF_ROLES)
    surged = replace(request, surge=1)
    has_gpus = surged.pods <= place.capacity.most_pods(request.gpus)
    is_surged = kind.served is not None and has_gpus and not has_own_volume(request)
    if not is_surged or gpu_compute(surged) != gpu_compute(request):
        return request
    return surged if {*kind.problems(surged)} <= {*kind.problems(request)} else request


def has_own_volume(request: Request) -> bool:
    """Return whether its volume is mounted on one node at a time."""
    return request.checkpoint is not None and request.nodes * request.copies == 1
