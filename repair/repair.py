"""One round of repair: of each pool, at most one node is rebooted or replaced, or it is only said.

A node is annotated before anything is done about it, so that nothing is done twice: what fails then
is left to a person.
"""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from http import HTTPStatus
from typing import Any

from gpus.platform_names import POOL
from repair.names import BOOT_ID, NOT_AFTER
from repair.node import Node, nodes, work_on
from repair.outcome import TOLD, Decision, Outcome
from repair.settings import Remedy, RepairAction, Settings
from rounds.servers import ApiServer, ApiServerError, object_path

_DAY = dt.timedelta(days=1)
_PATIENCE = dt.timedelta(minutes=5)
"""How long a fault has to last. A detector that starts again says for a second that all is well."""
_LONGEST = dt.timedelta(minutes=30)
"""How long a machine may take until its repair has failed; those with eight GPUs boot for ten."""


def repair(settings: Settings, server: ApiServer) -> Iterator[Outcome]:
    """Yield what becomes of each node that is set aside, as it does.

    Raises ApiServerError where nodes or pods cannot be read, after which nothing further is done; a
    refusal to change one node is an outcome of that one.
    """
    now = dt.datetime.now(dt.UTC)
    pools: dict[str, list[Node]] = {}
    for node in nodes(server, settings):
        pools.setdefault(node.pool, []).append(node)
    if settings.pod:
        _sweep(server, settings.pod["metadata"]["namespace"], now)
    for of_pool in pools.values():
        yield from _of_pool(server, settings, of_pool, now)


def _of_pool(
    server: ApiServer, settings: Settings, of_pool: Sequence[Node], now: dt.datetime
) -> Iterator[Outcome]:
    """Yield what becomes of the nodes of a pool."""
    full = _why_no_further(of_pool, settings, now)
    for node in of_pool:
        if not node.is_set_aside:
            continue
        decision, reason = _judged(node, settings, now)
        if decision is Decision.REPAIRED and full:
            decision, reason = Decision.WAITS, full
        if decision is Decision.REPAIRED and (pod := work_on(server, node, now)):
            decision, reason = Decision.IN_USE, f"pod {pod} runs on it"
        if decision is Decision.REPAIRED:
            full = f"{node.name} of the same pool comes first"
            decision, reason = _act(server, settings, node, now)
        yield _told(server, Outcome(node, settings.remedy, decision, now, reason))


def _why_no_further(of_pool: Sequence[Node], settings: Settings, now: dt.datetime) -> str:
    """Return why no other node of a pool may be repaired now; empty where one may."""
    for node in of_pool:
        if _is_under_way(node, now):
            return f"{node.name} of the same pool is being repaired or deleted"
    today = [each for each in of_pool if each.last and now - each.last.at < _DAY]
    most = settings.most[of_pool[0].pool]
    if len(today) >= most:
        return f"as many nodes of its pool as may be were repaired within a day: {most}"
    return ""


def _is_under_way(node: Node, now: dt.datetime) -> bool:
    is_recent = node.last is not None and now - node.last.at < _LONGEST
    return node.is_ending or (is_recent and (node.is_set_aside or not node.is_ready))


def _judged(node: Node, settings: Settings, now: dt.datetime) -> tuple[Decision, str]:
    """Return whether a node can be repaired, for all that it says itself, or what else and why."""
    if _is_under_way(node, now):
        return Decision.UNDER_WAY, ""
    if node.is_cordoned:
        return Decision.LEFT_ALONE, "it is cordoned, so that somebody is at work on it"
    if node.is_opted_out:
        return Decision.LEFT_ALONE, "its label says so"
    if not node.faults:
        return Decision.LEFT_ALONE, "no condition of it says what is broken"
    if why := _why_a_person(node, settings, now):
        return Decision.NEEDS_A_PERSON, why
    if now - max(fault.since for fault in node.faults) < _PATIENCE:
        return Decision.WAITS, "its fault is younger than five minutes"
    return Decision.REPAIRED, ""


def _why_a_person(node: Node, settings: Settings, now: dt.datetime) -> str:
    """Return why the remedy is not tried, or not again; empty where it is."""
    for reason in node.reasons:
        if reason not in settings.days:
            return f"a {settings.remedy} does not cure {reason}"
    if settings.remedy is Remedy.REPLACE and node.claim is None:
        return "no NodeClaim owns it"
    if settings.remedy is Remedy.REBOOT and not node.is_ready:
        return "it is not ready, so that no pod can reboot it"
    if node.last is None:
        return ""
    again = node.last.reasons.intersection(node.reasons)
    days = max((settings.days[reason] for reason in again), default=1)
    if now - node.last.at < dt.timedelta(days=days):
        return f"it was repaired at {node.last.at.isoformat()} already"
    return ""


def _act(
    server: ApiServer, settings: Settings, node: Node, now: dt.datetime
) -> tuple[Decision, str]:
    if settings.action is RepairAction.OBSERVE:
        return Decision.WOULD_REPAIR, ""
    try:
        server.patch(node.path, node.repaired(now))
    except ApiServerError as error:
        if error.status == HTTPStatus.CONFLICT:
            return Decision.WAITS, "it has changed meanwhile"
        return Decision.FAILED, str(error)
    try:
        _begin(server, settings, node, now)
    except ApiServerError as error:
        return Decision.FAILED, str(error)
    return Decision.REPAIRED, ""


def _begin(server: ApiServer, settings: Settings, node: Node, now: dt.datetime) -> None:
    """Begin the remedy; raise ApiServerError."""
    if settings.pod:
        pod = _pod_on(node, settings.pod, now)
        server.create(object_path("v1", "pods", pod["metadata"]["namespace"]), pod)
    elif node.claim:
        name, uid = node.claim
        server.delete(f"/apis/karpenter.sh/v1/nodeclaims/{name}", uid)


def _pod_on(node: Node, pod: Mapping[str, Any], now: dt.datetime) -> dict[str, Any]:
    """Return the pod that reboots a node, which there is once for each boot of it."""
    made: dict[str, Any] = deepcopy(dict(pod))
    made["metadata"]["name"] = f"{node.name}-{node.boot[:8]}"
    # Past the scheduler and its queues; the kubelet holds a pod to the selector all the same.
    made["spec"] |= {"nodeName": node.name, "nodeSelector": {POOL: node.pool}}
    (container,) = made["spec"]["containers"]
    last = int((now + _LONGEST).timestamp())
    told = {BOOT_ID: node.boot, NOT_AFTER: str(last)}
    container["env"] = [{"name": name, "value": value} for name, value in told.items()]
    return made


def _sweep(server: ApiServer, namespace: str, now: dt.datetime) -> None:
    """Delete the pods that rebooted nodes more than a day ago; raise ApiServerError."""
    for pod in server.items(object_path("v1", "pods", namespace)):
        metadata = pod["metadata"]
        if now - dt.datetime.fromisoformat(metadata["creationTimestamp"]) > _DAY:
            server.delete(object_path("v1", "pods", namespace, metadata["name"]), metadata["uid"])


def _told(server: ApiServer, outcome: Outcome) -> Outcome:
    if outcome.decision in TOLD:
        try:
            server.create(object_path("v1", "events", "default"), outcome.event())
        except ApiServerError as error:
            why = f"{outcome.reason}, without an Event: {error}".removeprefix(", ")
            return Outcome(outcome.node, outcome.remedy, outcome.decision, outcome.now, why)
    return outcome
