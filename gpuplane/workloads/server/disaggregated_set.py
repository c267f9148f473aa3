"""A DisaggregatedSet: replicas of prefill beside those of decode, each of them one pod.

https://lws.sigs.k8s.io/docs/concepts/disaggregatedset/
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gpuplane.workloads.metadata import queue_labels, queued
from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.pod_template import Container
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.disaggregation import ENGINE_PORT, role_label
from gpuplane.workloads.server.picker import picker
from gpuplane.workloads.server.ports import budget, metrics_monitor, ports, service_to
from gpuplane.workloads.server.replicas import LEADER_WORKER_SET_TYPE, NAME, server_template, spread
from gpuplane.workloads.serving.engine import Metrics
from gpuplane.workloads.serving.served import Role

DISAGGREGATED_SET_TYPE = ("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet")
_METRICS = Metrics(ENGINE_PORT, "/metrics")


def in_role(request: Request, role: Role) -> Request:
    return replace(request, served=replace(request.served, role=role))


def disaggregated_set(
    request: Request, containers: Mapping[Role, Container], mounted: Mounted
) -> Iterator[Tree]:
    """Yield the objects of replicas that prefill, and of those that decode."""
    pods, answering = {NAME: request.name}, role_label(in_role(request, Role.DECODE))
    listed = [{"name": "http", "port": 80, "targetPort": ports(request)["http"]}]
    yield service_to(request, pods | answering, listed, request.name)
    yield from budget(request, pods)
    yield from metrics_monitor(request, pods, _METRICS, "of the engines, beside the sidecar's port")
    yield from picker(request, pods)
    roles = [_role(request, role, containers[role], mounted) for role in Role]
    yield queued(request, *DISAGGREGATED_SET_TYPE, {"roles": roles})


def _role(request: Request, role: Role, container: Container, mounted: Mounted) -> Tree:
    own, replicas = in_role(request, role), request.replicas
    if role is Role.PREFILL:
        replicas = request.prefill_replicas
    pods = {NAME: request.name, **role_label(own)}
    labels = {**request.labels, **queue_labels(request, *LEADER_WORKER_SET_TYPE)}
    strategy = Because(
        {"maxSurge": 1, "maxUnavailable": 0},
        "a rollout starts one of each role before old ones go, for which the quota has room",
    )
    return {
        "name": role.value,
        "metadata": {"labels": labels},
        "spec": {
            "replicas": replicas,
            "rolloutStrategy": {"type": "RollingUpdate", "rollingUpdateConfiguration": strategy},
            "leaderWorkerTemplate": {
                "size": Because(1, "a replica is one pod"),
                "restartPolicy": Because("None", "its one pod starts containers again itself"),
                "workerTemplate": server_template(
                    own, container, mounted, spread(pods) if replicas > 1 else {}
                ),
            },
        },
    }
