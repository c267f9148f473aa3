"""One round of culling: it ends idle workloads, or only reports them.

What ends does so that its author can start it again, and what became of it is a line of the log and
an Event.
"""

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from culling.owner import Ending
from culling.settings import Action, Settings
from culling.workload import Workload, gpu_use, workloads
from rounds.event import event, seconds
from rounds.servers import ApiServer, ApiServerError, Prometheus, object_path

REPLICAS_ANNOTATION = "gpuplane.io/replicas-before-idle"
"""Annotation of an owner that was scaled to 0, with the replicas that it had."""
STOPPED_ANNOTATION = "kubeflow-resource-stopped"
"""Annotation of a Notebook that is stopped; its value is the time
(https://github.com/kubeflow/kubeflow, components/notebook-controller/pkg/culler/culler.go at
v1.9.2)."""
_COMPONENT = "gpuplane-cull"


class Decision(StrEnum):
    """What became of a workload."""

    ENDED = "ended"
    WOULD_END = "would-end"
    """Nothing was done, as the action is to observe."""
    IN_USE = "in-use"
    """A pod of it uses GPUs, or may."""
    LEFT_ALONE = "left-alone"
    """It is idle, and culling does not know how to end its owner."""
    TOO_MANY = "too-many"
    """It is idle, and so is more than may end at once."""
    BLOCKED = "blocked"
    """A PodDisruptionBudget refused that a pod of it ends."""
    FAILED = "failed"
    """The API server refused what would have ended it, for any other reason."""


@dataclass(frozen=True, slots=True)
class Outcome:
    workload: Workload
    decision: Decision
    now: dt.datetime
    reason: str = ""

    @property
    def idle_minutes(self) -> int:
        return int((self.now - self.workload.last_used).total_seconds() // 60)

    def line(self) -> str:
        owner = self.workload.owner
        entry = {
            "event": self.decision.value,
            "namespace": owner.namespace,
            "kind": owner.kind,
            "name": owner.name,
            "pods": [pod.name for pod in self.workload.pods if pod.use],
            "gpus": round(self.workload.gpus, 3),
            "idleMinutes": self.idle_minutes,
            "time": self.now.isoformat(),
        }
        return json.dumps({**entry, "reason": self.reason} if self.reason else entry)

    def event(self) -> dict[str, Any]:
        """Return an Event, which `kubectl describe` shows below the owner."""
        owner = self.workload.owner
        held = f"{self.workload.gpus:g} GPUs held, and not used for {self.idle_minutes} minutes"
        ended = self.decision is Decision.ENDED
        does = "ends now" if ended else "would end if culling did not only observe"
        involved = {
            "apiVersion": owner.api_version,
            "kind": owner.kind,
            "namespace": owner.namespace,
            "name": owner.name,
            "uid": owner.uid,
        }
        return event(_COMPONENT, involved, "GpuIdle", f"{held}: it {does}.", self.now)


def cull(settings: Settings, prometheus: Prometheus, server: ApiServer) -> Iterator[Outcome]:
    """Yield what becomes of each workload with idle GPUs, as it does.

    Raises PrometheusError and ApiServerError before anything ends; a refusal to end one workload is
    an outcome of that one.
    """
    now = dt.datetime.now(dt.UTC)
    use = gpu_use(prometheus, settings.queries)
    found = tuple(workloads(server, use, settings.namespaces))
    gpus = sum(
        each.gpus
        for each in found
        if each.reason_to_stay is None and not each.owner.reason_left_alone
    )
    for workload in found:
        if reason := workload.reason_to_stay:
            yield Outcome(workload, Decision.IN_USE, now, reason)
        elif reason := workload.owner.reason_left_alone:
            yield Outcome(workload, Decision.LEFT_ALONE, now, reason)
        elif gpus * 100 > use.capacity * settings.max_percent:
            share = f"{gpus:g} of {use.capacity:g} GPUs"
            reason = f"{share} would go at once, more than {settings.max_percent} %"
            yield Outcome(workload, Decision.TOO_MANY, now, reason)
        else:
            yield _act(server, workload, settings.action, now)


def _act(server: ApiServer, workload: Workload, action: Action, now: dt.datetime) -> Outcome:
    decision = Decision.WOULD_END
    if action is Action.END:
        try:
            _end(server, workload, now)
        except ApiServerError as error:
            is_blocked = error.status == HTTPStatus.TOO_MANY_REQUESTS
            refused = Decision.BLOCKED if is_blocked else Decision.FAILED
            return Outcome(workload, refused, now, str(error))
        decision = Decision.ENDED
    try:
        told = Outcome(workload, decision, now).event()
        server.create(object_path("v1", "events", workload.owner.namespace), told)
    except ApiServerError as error:
        return Outcome(workload, decision, now, f"without an Event: {error}")
    return Outcome(workload, decision, now)


def _end(server: ApiServer, workload: Workload, now: dt.datetime) -> None:
    """End a workload; raise ApiServerError, after which some of its pods may be gone."""
    owner = workload.owner
    match owner.ending:
        case Ending.EVICT:
            for pod in workload.pods:
                if pod.is_idle:
                    _evict(server, owner.namespace, pod.name, pod.uid)
        case Ending.SCALE:
            change = _annotated(owner.resource_version, REPLICAS_ANNOTATION, str(owner.replicas))
            server.patch(owner.path, {**change, "spec": {"replicas": 0}})
        case Ending.STOP:
            change = _annotated(owner.resource_version, STOPPED_ANNOTATION, seconds(now))
            server.patch(owner.path, change)


def _evict(server: ApiServer, namespace: str, name: str, uid: str) -> None:
    """Evict this very pod: https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/."""
    eviction = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": name, "namespace": namespace},
        "deleteOptions": {"preconditions": {"uid": uid}},
    }
    server.create(f"{object_path('v1', 'pods', namespace, name)}/eviction", eviction)


def _annotated(resource_version: str, name: str, value: str) -> dict[str, Any]:
    """Return the change that annotates an object, unless it has changed since it was read."""
    return {"metadata": {"resourceVersion": resource_version, "annotations": {name: value}}}
