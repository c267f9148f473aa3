"""A node that is set aside: what is broken, what holds it, and how it was repaired before."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gpus.platform_names import LABEL_PREFIX, POOL
from repair.names import PLANNED_AT, REPAIRED_AT, REPAIRED_BOOT, REPAIRED_FOR
from repair.settings import Settings
from rounds.event import seconds
from rounds.servers import ApiServer, Document

OPT_OUT = f"{LABEL_PREFIX}/repair"
"""Label of nodes that are left alone, with the value `never`."""
NEVER = "never"
_DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt"
"""Annotation by which Karpenter lets a node be
(https://karpenter.sh/docs/concepts/disruption/#node-level-controls)."""
_OF_CONTROL_PLANE = tuple(f"node-role.kubernetes.io/{each}" for each in ("control-plane", "etcd"))
"""Labels of nodes whose static pods are the cluster."""
_MIRROR = "kubernetes.io/config.mirror"
"""Annotation of what the kubelet runs from a file."""
_DAEMON_SET = ("apps/v1", "DaemonSet")
_DONE = ("Succeeded", "Failed")
_HANGS = dt.timedelta(minutes=10)
"""How long after its grace period a pod hangs that has not ended: so do those whose processes wait
for a GPU that does not answer, which nothing but a boot ends."""
_NONE = dt.timedelta(0)
_PREVIOUS_ROUND = dt.timedelta(minutes=3), dt.timedelta(minutes=9)
"""How long ago that was: a round comes every five minutes, and its image may have to be pulled."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A condition that says what is broken."""

    reason: str
    since: dt.datetime


@dataclass(frozen=True, slots=True)
class Repair:
    """What was done about a node before."""

    at: dt.datetime
    boot: str
    reasons: frozenset[str]


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    uid: str
    resource_version: str
    pool: str
    boot: str
    """ID of the boot, as the kernel has it."""
    is_set_aside: bool
    is_ready: bool
    is_ending: bool
    left_alone: str
    """Why it is not to be touched; empty where it may be."""
    faults: tuple[Fault, ...]
    claim: tuple[str, str] | None
    """Name and UID of the NodeClaim that Karpenter made it from."""
    planned_at: dt.datetime | None
    last: Repair | None

    @property
    def path(self) -> str:
        return f"/api/v1/nodes/{self.name}"

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(sorted({fault.reason for fault in self.faults}))

    def is_planned(self, now: dt.datetime) -> bool:
        """Tell whether the round before this one found nothing on it."""
        least, most = _PREVIOUS_ROUND
        return self.planned_at is not None and least <= now - self.planned_at < most

    def was_repaired(self, now: dt.datetime, within: dt.timedelta) -> bool:
        return self.last is not None and _NONE <= now - self.last.at < within

    def has_booted(self) -> bool:
        """Tell whether it has booted since its last repair."""
        return self.last is None or self.last.boot != self.boot

    def plan(self, now: dt.datetime) -> dict[str, Any]:
        """Return the change that takes down that nothing runs, unless the node has changed."""
        return self._annotated({PLANNED_AT: seconds(now)})

    def repair(self, now: dt.datetime) -> dict[str, Any]:
        """Return the change that takes down a repair, likewise."""
        done = {REPAIRED_AT: seconds(now), REPAIRED_FOR: ",".join(self.reasons)}
        return self._annotated({PLANNED_AT: None, **done, REPAIRED_BOOT: self.boot})

    def _annotated(self, annotations: Mapping[str, str | None]) -> dict[str, Any]:
        return {"metadata": {"resourceVersion": self.resource_version, "annotations": annotations}}


def nodes(server: ApiServer, settings: Settings) -> Iterator[Node]:
    """Yield the nodes of the pools; raise ApiServerError."""
    for document in server.items("/api/v1/nodes", labelSelector=POOL):
        if document["metadata"]["labels"][POOL] in settings.most:
            yield _node(document, settings)


def work_on(server: ApiServer, node: Node, now: dt.datetime) -> str | None:
    """Return the name of a pod that a repair would end; None without one; raise ApiServerError.

    Pods of DaemonSets stay wherever the taint is tolerated, and come back with the node.
    """
    pods = server.items("/api/v1/pods", fieldSelector=f"spec.nodeName={node.name}")
    working = (pod["metadata"] for pod in pods if _works(pod, now))
    return next((f"{each['namespace']}/{each['name']}" for each in working), None)


def _works(pod: Document, now: dt.datetime) -> bool:
    metadata = pod["metadata"]
    if ending := metadata.get("deletionTimestamp"):
        return now - dt.datetime.fromisoformat(ending) < _HANGS
    owners = metadata.get("ownerReferences", ())
    of_daemon = any(each.get("controller") and _kind(each) == _DAEMON_SET for each in owners)
    is_static = _MIRROR in metadata.get("annotations", {})
    return not (of_daemon or is_static or pod.get("status", {}).get("phase") in _DONE)


def _kind(owner: Document) -> tuple[str, str]:
    return owner["apiVersion"], owner["kind"]


def _node(document: Document, settings: Settings) -> Node:
    metadata, spec, status = document["metadata"], document["spec"], document.get("status", {})
    annotations = metadata.get("annotations", {})
    conditions = {each["type"]: each for each in status.get("conditions", ())}
    found = (conditions.get(each, {}) for each in settings.conditions)
    return Node(
        name=metadata["name"],
        uid=metadata["uid"],
        resource_version=metadata["resourceVersion"],
        pool=metadata["labels"][POOL],
        boot=status.get("nodeInfo", {}).get("bootID", ""),
        is_set_aside=any(each["key"] == settings.taint for each in spec.get("taints", ())),
        is_ready=conditions.get("Ready", {}).get("status") == "True",
        is_ending="deletionTimestamp" in metadata,
        left_alone=_why_left_alone(metadata, spec),
        faults=tuple(_fault(each) for each in found if each.get("status") == "True"),
        claim=_claim(metadata),
        planned_at=_time(annotations.get(PLANNED_AT)),
        last=_last(annotations),
    )


def _why_left_alone(metadata: Document, spec: Document) -> str:
    labels = metadata["labels"]
    if spec.get("unschedulable"):
        return "it is cordoned, so that somebody is at work on it"
    if labels.get(OPT_OUT) == NEVER:
        return f"its label {OPT_OUT} says so"
    if metadata.get("annotations", {}).get(_DO_NOT_DISRUPT) == "true":
        return f"its annotation {_DO_NOT_DISRUPT} says so"
    if any(each in labels for each in _OF_CONTROL_PLANE):
        return "it is of the control plane"
    return ""


def _fault(condition: Document) -> Fault:
    since = dt.datetime.fromisoformat(condition["lastTransitionTime"])
    return Fault(condition.get("reason", ""), since)


def _claim(metadata: Document) -> tuple[str, str] | None:
    for each in metadata.get("ownerReferences", ()):
        if each["kind"] == "NodeClaim" and each["apiVersion"].startswith("karpenter.sh/"):
            return each["name"], each["uid"]
    return None


def _last(annotations: Document) -> Repair | None:
    if (at := _time(annotations.get(REPAIRED_AT))) is None:
        return None
    reasons = annotations.get(REPAIRED_FOR, "").split(",")
    return Repair(at, annotations.get(REPAIRED_BOOT, ""), frozenset(reasons))


def _time(stated: str | None) -> dt.datetime | None:
    """Return a time; one that nobody can read is in the future, as is one of another clock."""
    if stated is None:
        return None
    try:
        at = dt.datetime.fromisoformat(stated)
    except ValueError:
        at = dt.datetime.max
    return at if at.tzinfo else at.replace(tzinfo=dt.UTC)
