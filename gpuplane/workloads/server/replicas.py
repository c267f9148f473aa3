"""What runs the replicas of a server: a Deployment or Rollout, or LeaderWorkerSet of several nodes.

https://lws.sigs.k8s.io/docs/reference/leaderworkerset.v1/
"""

from collections.abc import Iterator, Mapping

from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.nvlink_domain import compute_domain
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import Container, gpu_pod
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.canary import (
    ROLLOUT_TYPE,
    analysis_template,
    canary_deadline,
    canary_strategy,
)
from gpuplane.workloads.server.disaggregation import role_label
from gpuplane.workloads.server.drain import grace_period
from gpuplane.workloads.server.picker import engine_label, picker
from gpuplane.workloads.server.ports import budget, leader_service, pod_monitor, service
from gpuplane.workloads.server.scaling import most_requests, scaled_object, stated_replicas
from gpuplane.workloads.server.sleep import interceptor_route
from gpuplane.workloads.server.start import progress_deadline
from gpuplane.workloads.surge import has_own_volume
from policies.rules.replica_spread import TOPOLOGY
from policies.workloads.job_label import LEADER_WORKER_SET

DEPLOYMENT_TYPE = ("apps/v1", "Deployment")
LEADER_WORKER_SET_TYPE = ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet")
NAME = "app.kubernetes.io/name"
_NO_LINKS = {
    "enableServiceLinks": Because(
        False, "a Service vllm would set VLLM_PORT, which vLLM takes for a port of its own"
    )
}
_LEADERS = {"leaderworkerset.sigs.k8s.io/worker-index": "0"}


def deployment(request: Request, container: Container, mounted: Mounted) -> Iterator[Tree]:
    """Yield the objects of replicas that are a pod each."""
    selector = {NAME: request.name}
    yield from service(request, selector, request.name)
    yield from budget(request, selector)
    yield from pod_monitor(request, selector)
    yield from picker(request, selector)
    apart = spread(selector) if request.most_replicas > 1 else {}
    spec = {
        **stated_replicas(request),
        "strategy": _strategy(request),
        **progress_deadline(request),
        **canary_deadline(request),
        "selector": {"matchLabels": selector},
        "template": server_template(request, container, mounted, apart),
    }
    kind = ROLLOUT_TYPE if request.canary else DEPLOYMENT_TYPE
    yield from analysis_template(request)
    yield queued(request, *kind, spec)
    yield from interceptor_route(request, request.name, most_requests(request))
    yield from scaled_object(request, *kind)


def leader_worker_set(
    request: Request, leader: Container, worker: Container, mounted: Mounted
) -> Iterator[Tree]:
    """Yield the objects of replicas of several pods, of which one answers."""
    pods = {LEADER_WORKER_SET.key: request.name}
    yield from compute_domain(request)
    yield from service(request, pods | _LEADERS, leader_service(request))
    yield from budget(request, pods)
    yield from pod_monitor(request, pods | _LEADERS)
    yield from picker(request, pods | _LEADERS)
    near = together(request, LEADER_WORKER_SET.key) if request.most_replicas == 1 else {}
    spec = {
        **stated_replicas(request),
        "rolloutStrategy": {
            "type": Because("RollingUpdate", "one replica after another"),
            "rollingUpdateConfiguration": _rollout(request),
        },
        "leaderWorkerTemplate": {
            "size": Because(request.nodes, "pods of a replica, with its leader"),
            "restartPolicy": Because(
                "RecreateGroupOnPodRestart", "a model does not run on without one of its pods"
            ),
            "leaderTemplate": server_template(request, leader, mounted, near),
            "workerTemplate": server_template(request, worker, mounted, near),
        },
    }
    yield queued(request, *LEADER_WORKER_SET_TYPE, spec)
    yield from interceptor_route(request, leader_service(request), most_requests(request))
    yield from scaled_object(request, *LEADER_WORKER_SET_TYPE)


def server_template(
    request: Request, container: Container, mounted: Mounted, fields: dict[str, Tree]
) -> Tree:
    fields = {**fields, **grace_period(request), **_NO_LINKS}
    return gpu_pod(request, container, fields, mounted, is_undisturbed=False)


def _strategy(request: Request) -> Tree:
    bounds = _rollout(request)
    return canary_strategy(request, bounds) if request.canary else {"rollingUpdate": bounds}


def _rollout(request: Request) -> Because:
    if request.surge:
        why = "the quota has room for a new replica before an old one goes"
        return Because({"maxSurge": 1, "maxUnavailable": 0}, why)
    lacks = "its volume is mounted on one node" if has_own_volume(request) else "nothing is spare"
    why = f"an old replica goes before a new one starts: {lacks}"
    return Because({"maxSurge": 0, "maxUnavailable": 1}, why)


def spread(pods: Mapping[str, str]) -> dict[str, Tree]:
    """Return the constraint by which pods with these labels are on several nodes."""
    constraint = {
        "maxSkew": 1,
        "topologyKey": TOPOLOGY,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": pods},
    }
    return {
        "topologySpreadConstraints": Because([constraint], "no node takes all replicas with it")
    }


def pod_labels(request: Request) -> dict[str, str]:
    return {NAME: request.name, **engine_label(request), **role_label(request)}
