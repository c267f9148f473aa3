"""One round of repair: one node is rebooted or replaced, or the next one to be is planned.

A node is annotated when a round finds nothing on it, and repaired by the next round if that still
finds nothing. What it does is annotated before it is done, so that nothing is done twice: what
fails then is left to a person.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from http import HTTPStatus
from typing import Any

from gpus.platform_names import POOL
from repair.names import BOOT_ID, NOT_AFTER, REPAIRED_AT
from repair.node import Node, nodes, work_on
from repair.outcome import ACTS, TOLD, Decision, Outcome
from repair.settings import Remedy, RepairAction, Settings
from rounds.servers import ApiServer, ApiServerError, object_path

_DAY = dt.timedelta(days=1)
_PATIENCE = dt.timedelta(minutes=5)
"""How long a fault has to last. A detector that starts again says for a second that all is well."""
_BOOTS = dt.timedelta(minutes=30)
"""How long a machine may take until its repair has failed; those with eight GPUs boot for ten."""
_DRAINS = dt.timedelta(hours=2)
"""How long others wait for a node that Karpenter drains."""
_STARTS = dt.timedelta(minutes=3)
"""How long the pod that reboots may take until it runs, in which others could come to the node."""


def repair(settings: Settings, server: ApiServer) -> Iterator[Outcome]:
    """Yield what becomes of each node that is set aside, as it does.

    Raises ApiServerError where nodes or pods cannot be read, after which nothing further is done; a
    refusal to change one node is an outcome of that one.
    """
    now = dt.datetime.now(dt.UTC)
    # The node that was planned comes first, lest others be planned in its place for ever.
    known = sorted(nodes(server, settings), key=lambda node: not node.is_planned(now))
    if settings.pod:
        _sweep(server, settings.pod["metadata"]["namespace"], now)
    full = _full_pools(known, settings, now)
    under_way = (each.name for each in known if _is_under_way(each, now))
    busy = next((f"{name} is being repaired" for name in under_way), "")
    for node in known:
        if node.is_set_aside:
            why_not = busy or full.get(node.pool, "")
            decision, reason = _decided(server, settings, node, why_not, now)
            if decision in ACTS:
                busy = f"{node.name} comes first"
            yield _told(server, Outcome(node, settings.remedy, decision, now, reason))


def _full_pools(known: Sequence[Node], settings: Settings, now: dt.datetime) -> dict[str, str]:
    """Return why no other node of a pool may be repaired today, for pools of which none may."""
    today = Counter(node.pool for node in known if node.was_repaired(now, _DAY))
    full = {
        pool: f"as many nodes of its pool as may be were repaired within a day: {most}"
        for pool, most in settings.most.items()
        if today[pool] >= most
    }
    for node in known:
        if _has_failed(node, now):
            full[node.pool] = f"{node.name} of its pool did not come back from its repair"
    return full


def _is_under_way(node: Node, now: dt.datetime) -> bool:
    if node.is_ending:
        return node.was_repaired(now, _DRAINS)
    return node.was_repaired(now, _BOOTS) and (node.is_set_aside or not node.is_ready)


def _has_failed(node: Node, now: dt.datetime) -> bool:
    """Tell whether nothing came of a repair today: others of its pool may be like it."""
    is_over = node.was_repaired(now, _DAY) and not node.was_repaired(now, _BOOTS)
    return is_over and not node.is_ending and not (node.has_booted() and node.is_ready)


def _decided(
    server: ApiServer, settings: Settings, node: Node, why_not: str, now: dt.datetime
) -> tuple[Decision, str]:
    if judged := _judged(node, settings, now):
        return judged
    if why_not:
        return Decision.WAITS, why_not
    if pod := work_on(server, node, now):
        return Decision.IN_USE, f"pod {pod} runs on it"
    return _act(server, settings, node, now)


def _judged(node: Node, settings: Settings, now: dt.datetime) -> tuple[Decision, str] | None:
    """Return what keeps a node from its repair, for all that it says itself; None for nothing."""
    if node.is_ending or _is_under_way(node, now):
        return Decision.UNDER_WAY, ""
    if node.left_alone:
        return Decision.LEFT_ALONE, node.left_alone
    if not node.faults:
        return Decision.LEFT_ALONE, "no condition of it says what is broken"
    if why := _why_a_person(node, settings, now):
        return Decision.NEEDS_A_PERSON, why
    if now - max(fault.since for fault in node.faults) < _PATIENCE:
        return Decision.WAITS, "its fault is younger than five minutes"
    return None


def _why_a_person(node: Node, settings: Settings, now: dt.datetime) -> str:
    """Return why the remedy is not tried, or not again; empty where it is."""
    for reason in node.reasons:
        if reason not in settings.days:
            return f"a {settings.remedy} does not cure {reason}"
    if settings.remedy is Remedy.REPLACE and node.claim is None:
        return "no NodeClaim owns it"
    if settings.remedy is Remedy.REBOOT and not node.is_ready:
        return "it is not ready, so that no pod can reboot it"
    return _why_not_again(node, settings, now)


def _why_not_again(node: Node, settings: Settings, now: dt.datetime) -> str:
    if node.last is None:
        return ""
    if node.last.at > now:
        return f"its annotation {REPAIRED_AT} is no time in the past: remove it"
    days = max(settings.days.get(reason, 1) for reason in {*node.last.reasons, *node.reasons})
    if now - node.last.at >= dt.timedelta(days=days):
        return ""
    since = "" if node.has_booted() else ", and has not booted since"
    return f"it was repaired at {node.last.at.isoformat()} already{since}"


def _act(
    server: ApiServer, settings: Settings, node: Node, now: dt.datetime
) -> tuple[Decision, str]:
    if settings.action is RepairAction.OBSERVE:
        return Decision.WOULD_REPAIR, ""
    is_planned = node.is_planned(now)
    try:
        server.patch(node.path, node.repair(now) if is_planned else node.plan(now))
        if is_planned:
            _begin(server, settings, node)
    except ApiServerError as error:
        if error.status == HTTPStatus.CONFLICT:
            return Decision.WAITS, "it has changed meanwhile"
        return Decision.FAILED, str(error)
    return (Decision.REPAIRED if is_planned else Decision.PLANNED), ""


def _begin(server: ApiServer, settings: Settings, node: Node) -> None:
    """Begin the remedy; raise ApiServerError."""
    if settings.pod:
        pod = _pod_on(node, settings.pod)
        server.create(object_path("v1", "pods", pod["metadata"]["namespace"]), pod)
    elif node.claim:
        name, uid = node.claim
        server.delete(f"/apis/karpenter.sh/v1/nodeclaims/{name}", uid)


def _pod_on(node: Node, pod: Mapping[str, Any]) -> dict[str, Any]:
    """Return the pod that reboots a node in its boot of now."""
    made: dict[str, Any] = deepcopy(dict(pod))
    made["metadata"]["generateName"] = f"{node.name}-"
    # Past the scheduler and its queues; the kubelet holds a pod to the selector all the same.
    made["spec"] |= {"nodeName": node.name, "nodeSelector": {POOL: node.pool}}
    (container,) = made["spec"]["containers"]
    last = int((dt.datetime.now(dt.UTC) + _STARTS).timestamp())
    told = {BOOT_ID: node.boot, NOT_AFTER: str(last)}
    container["env"] = [{"name": name, "value": value} for name, value in told.items()]
    return made


def _sweep(server: ApiServer, namespace: str, now: dt.datetime) -> None:
    """Delete the pods that rebooted nodes more than a day ago; raise ApiServerError."""
    for pod in server.items(object_path("v1", "pods", namespace)):
        metadata = pod["metadata"]
        if now - dt.datetime.fromisoformat(metadata["creationTimestamp"]) > _DAY:
            with _passing(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT):
                path = object_path("v1", "pods", namespace, metadata["name"])
                server.delete(path, metadata["uid"])


@contextmanager
def _passing(*statuses: int) -> Iterator[None]:
    """Pass over what the API server refuses with such a status."""
    try:
        yield
    except ApiServerError as error:
        if error.status not in statuses:
            raise


def _told(server: ApiServer, outcome: Outcome) -> Outcome:
    if outcome.decision in TOLD:
        try:
            # Another round has told this within the hour.
            with _passing(HTTPStatus.CONFLICT):
                server.create(object_path("v1", "events", "default"), outcome.event())
        except ApiServerError as error:
            why = f"{outcome.reason}, without an Event: {error}".removeprefix(", ")
            return Outcome(outcome.node, outcome.remedy, outcome.decision, outcome.now, why)
    return outcome
