"""Judges changes of NetworkPolicies by the connections that are refused from then on.

Policies of a namespace only add up, so that what one of them loses another one may still open.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from ipaddress import ip_network
from itertools import product
from typing import Any

from charts_py.objects.document import Document
from gpuplane.label_selector import includes, keys_of, selects
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField, kind_of, shared_path
from gpuplane.plan.network_openings import (
    Direction,
    Opening,
    isolates,
    openings_of,
    pod_selector,
    port_words,
    selector_words,
)
from gpuplane.plan.object_change import (
    ObjectChange,
    comes_with_namespace,
    namespace_labels,
    namespaces_of,
)
from gpuplane.plan.sources import source
from gpuplane.versions.comparison import PlacedDocuments, PlacedObject
from policies.document import few, value_at

_POLICY = "NetworkPolicy.networking.k8s.io"
_NAMESPACES = "namespaceSelector"
_POD_LABELS = ("spec", "template", "metadata", "labels")
_OPEN_ONES = "the network plugin decides about open ones."
TOLD = "NetworkPolicies newly refuse connections in {places}"
_SAFE = f"New connections have to keep to it at once, and none is refused by it; {_OPEN_ONES}"


def network_policy(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterator[Effect]:
    path, where = shared_path(tuple(each.path for each in fields)), source("docs_network_policies")
    found = () if comes_with_namespace(change) else (_closed(change), _lost(change))
    reasons = [reason for each in found for reason in each]
    for reason in reasons:
        yield Effect(Verdict.DISRUPTIVE, path, reason, where, told=TOLD)
    if not reasons:
        yield Effect(Verdict.SAFE, path, _SAFE, where)


def closes_network(change: ObjectChange, field: ChangedField) -> bool:
    """Say whether policies no longer let a namespace through, since a label of it changes."""
    name = change.placed.key.name
    before, after = map(namespace_labels, change.sides)
    policies = (each for placed, each in change.cluster.after.items() if _is_policy(placed))
    opened = _openings(policies)
    left = [each for each in opened if each.lets_through(name, after)]
    return any(
        each.lets_through(name, before)
        and field.segments[-1] in keys_of(each.peer.get("namespaceSelector") or {})
        and not any(_lets_as_much_through(one, each) for one in left)
        for each in opened
    )


def _lets_as_much_through(opening: Opening, other: Opening) -> bool:
    """Say whether of a namespace that both let through one has no less than the other."""
    peers = (each.peer.get("podSelector") or {} for each in (opening, other))
    return opening.namespace == other.namespace and _covers(opening, other) and includes(*peers)


def _refused(policy: Document, connections: list[str], left: str = "") -> Iterator[str]:
    if connections:
        pods = f"pods {selector_words(pod_selector(policy))}".strip()
        namespace = policy["metadata"].get("namespace", "")
        yield (
            f"Connections {few(connections)} are refused at once for {pods} in the namespace "
            f"{namespace}{left}; {_OPEN_ONES}"
        )


def _closed(change: ObjectChange) -> Iterator[str]:
    """Say in which directions pods were open, and are no longer."""
    new, before = change.after, _policies(change, change.cluster.before)
    if new is None or _has_pods(change, new) == (False, True):
        return
    opened = _openings(_policies(change, change.cluster.after))
    pods = pod_selector(new)
    refused = []
    for direction in Direction:
        was_closed = any(
            isolates(each, direction) and includes(pod_selector(each), pods) for each in before
        )
        all_of_it = Opening("", "", direction, pods, {}, frozenset())
        if isolates(new, direction) and not was_closed and not _is_open(all_of_it, opened):
            refused.append(f"{direction.word} all that no policy allows")
    yield from _refused(new, refused)


def _lost(change: ObjectChange) -> Iterator[str]:
    """Say what the policy opened, and none opens any longer to the same pods."""
    old, after = change.before, _policies(change, change.cluster.after)
    if old is None or _has_pods(change, old) == (True, False):
        return
    closing = {
        direction
        for direction in Direction
        for each in after
        if isolates(each, direction) and _may_share_pods(each, old)
    }
    opened, refused = _openings(after), []
    opened += [*_by_new_labels(change, opened, _openings([old]))]
    for opening in _openings([old]):
        ports = opening.ports or {""}
        each_port = {port: replace(opening, ports=frozenset({port} - {""})) for port in ports}
        lost = frozenset(port for port, one in each_port.items() if not _is_open(one, opened))
        if opening.direction in closing and lost:
            words = f"port {port_words(lost)}" if opening.ports else "all ports"
            refused.append(f"{opening.direction.word} {opening.peer_words} ({words})")
    is_left = change.after is not None and _without_pods(change.after) == _without_pods(old)
    yield from _refused(old, refused, " that it no longer selects" if is_left else "")


def _by_new_labels(
    change: ObjectChange, opened: Iterable[Opening], wanted: Iterable[Opening]
) -> Iterator[Opening]:
    """Yield openings to namespaces that have other labels now, by the labels that they had."""
    for each, other in product([*opened], wanted):
        new, old = (one.peer.get(_NAMESPACES) for one in (each, other))
        if new is None or old is None:
            continue
        before, after = change.cluster.before, change.cluster.after
        there = namespaces_of(before, old) & namespaces_of(after, {})
        if there and there <= namespaces_of(after, new):
            yield replace(each, peer={**each.peer, _NAMESPACES: old})


def _without_pods(policy: Document) -> dict[str, Any]:
    return {
        name: each for name, each in (policy.get("spec") or {}).items() if name != "podSelector"
    }


def _has_pods(change: ObjectChange, policy: Document) -> tuple[bool, bool]:
    """Say whether a workload of the cluster has pods that the policy selects, before and after."""
    before, after = (
        any(
            placed.key.namespace == change.placed.key.namespace
            and pod_selector(policy)
            and (labels := value_at(document, _POD_LABELS))
            and selects(pod_selector(policy), labels)
            for placed, document in side.items()
        )
        for side in (change.cluster.before, change.cluster.after)
    )
    return before, after


def _may_share_pods(one: Document, other: Document) -> bool:
    first, second = (pod_selector(each).get("matchLabels") or {} for each in (one, other))
    return all(first[name] == second[name] for name in first.keys() & second.keys())


def _policies(change: ObjectChange, documents: PlacedDocuments) -> list[Document]:
    namespace = change.placed.key.namespace
    return [
        document
        for placed, document in documents.items()
        if placed.key.namespace == namespace and _is_policy(placed)
    ]


def _is_policy(placed: PlacedObject) -> bool:
    return kind_of(placed.key) == _POLICY


def _openings(policies: Iterable[Document]) -> list[Opening]:
    return [
        opening
        for policy in policies
        for opening in openings_of(policy)
        if isolates(policy, opening.direction)
    ]


def _is_open(wanted: Opening, opened: list[Opening]) -> bool:
    return any(_covers(each, wanted) and _holds_peer(each.peer, wanted.peer) for each in opened)


def _covers(opening: Opening, other: Opening) -> bool:
    """Say whether the pods and ports of an opening include those of another one."""
    return (
        opening.direction is other.direction
        and includes(opening.pods, other.pods)
        and (not opening.ports or (bool(other.ports) and other.ports <= opening.ports))
    )


def _holds_peer(peer: Any, other: Any) -> bool:
    if not peer or peer == other:
        return True
    if "ipBlock" not in peer or "ipBlock" not in other:
        return False
    block, part = peer["ipBlock"], other["ipBlock"]
    return set(block.get("except") or ()) <= set(part.get("except") or ()) and _is_within(
        part["cidr"], block["cidr"]
    )


def _is_within(part: str, whole: str) -> bool:
    try:
        one, other = ip_network(part, strict=False), ip_network(whole, strict=False)
    except ValueError:
        return False
    return one.version == other.version and one.subnet_of(other)  # type: ignore[arg-type] # as above
