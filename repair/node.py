"""A node that is set aside: what is broken, what holds it, and how it was repaired before."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gpus.platform_names import LABEL_PREFIX, POOL
from repair.names import REPAIRED_AT, REPAIRED_FOR
from repair.settings import Settings
from rounds.event import seconds
from rounds.servers import ApiServer, Document

OPT_OUT = f"{LABEL_PREFIX}/repair"
"""Label of nodes that are left alone, with the value `never`."""
NEVER = "never"
_MIRROR = "kubernetes.io/config.mirror"
"""Annotation of what the kubelet runs from a file."""
_DONE = ("Succeeded", "Failed")
_HANGS = dt.timedelta(minutes=10)
"""How long after its grace period a pod hangs that has not ended: so do those whose processes wait
for a GPU that does not answer, which nothing but a boot ends."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A condition that says what is broken."""

    reason: str
    since: dt.datetime


@dataclass(frozen=True, slots=True)
class Repair:
    """What was done about a node before."""

    at: dt.datetime
    reasons: frozenset[str]


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a pool."""

    name: str
    uid: str
    resource_version: str
    pool: str
    boot: str
    """What the kernel calls the time since it booted."""
    is_set_aside: bool
    is_ready: bool
    is_ending: bool
    is_cordoned: bool
    is_opted_out: bool
    faults: tuple[Fault, ...]
    claim: tuple[str, str] | None
    """Name and UID of the NodeClaim that Karpenter made it from."""
    last: Repair | None

    @property
    def path(self) -> str:
        return f"/api/v1/nodes/{self.name}"

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(sorted({fault.reason for fault in self.faults}))

    def repaired(self, now: dt.datetime) -> dict[str, Any]:
        """Return the change that takes down a repair, unless the node has changed meanwhile."""
        annotations = {REPAIRED_AT: seconds(now), REPAIRED_FOR: ",".join(self.reasons)}
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
    of_daemon = any(each.get("controller") and each["kind"] == "DaemonSet" for each in owners)
    is_static = _MIRROR in metadata.get("annotations", {})
    return not (of_daemon or is_static or pod.get("status", {}).get("phase") in _DONE)


def _node(document: Document, settings: Settings) -> Node:
    metadata, spec, status = document["metadata"], document["spec"], document.get("status", {})
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
        is_cordoned=spec.get("unschedulable", False),
        is_opted_out=metadata["labels"].get(OPT_OUT) == NEVER,
        faults=tuple(_fault(each) for each in found if each.get("status") == "True"),
        claim=_claim(metadata),
        last=_last(metadata.get("annotations", {})),
    )


def _fault(condition: Document) -> Fault:
    since = dt.datetime.fromisoformat(condition["lastTransitionTime"])
    return Fault(condition.get("reason", ""), since)


def _claim(metadata: Document) -> tuple[str, str] | None:
    for each in metadata.get("ownerReferences", ()):
        if each["kind"] == "NodeClaim" and each["apiVersion"].startswith("karpenter.sh/"):
            return each["name"], each["uid"]
    return None


def _last(annotations: Document) -> Repair | None:
    """Return the last repair; one whose time nobody can read was just now."""
    if (stated := annotations.get(REPAIRED_AT)) is None:
        return None
    try:
        at = dt.datetime.fromisoformat(stated)
    except ValueError:
        at = dt.datetime.max
    at = at if at.tzinfo else at.replace(tzinfo=dt.UTC)
    return Repair(at, frozenset(annotations.get(REPAIRED_FOR, "").split(",")))
