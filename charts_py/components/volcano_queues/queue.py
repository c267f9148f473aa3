"""What a namespace and a team may have, of each resource.

Of a queue of Volcano, `guarantee` is what no other may have, `deserved` what it gets back from
others that have more than theirs, and `capability` the most that it may have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from charts_py.components.volcano_queues.api import API_VERSION
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.queue_amounts import namespace_amounts, team_amounts, team_queue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform
    from charts_py.platform.queue_amounts import Amounts


def queues(platform: Platform) -> Iterator[Document]:
    """Yield a Queue for each team, and below it one for each of its namespaces."""
    for name, amounts in team_amounts(platform).items():
        yield _queue(team_queue(name), amounts, {})
    for namespace in platform.namespaces:
        parent = {"parent": team_queue(namespace.team_name)}
        yield _queue(namespace.name, namespace_amounts(platform, namespace), parent)


def _queue(name: str, amounts: Amounts, parent: Mapping[str, str]) -> Document:
    kept = {name: each.own - each.lent for name, each in amounts.items() if each.own > each.lent}
    guarantee = {"guarantee": {"resource": _quantities(kept)}} if kept else {}
    spec: dict[str, Any] = {
        **parent,
        "reclaimable": True,
        **guarantee,
        "deserved": _quantities({name: each.own for name, each in amounts.items()}),
        # Of what it does not state, a queue could have all.
        "capability": _quantities({name: each.most for name, each in amounts.items()}),
    }
    return object_of(API_VERSION, "Queue", ObjectMeta(name), {"spec": spec})


def _quantities(amounts: Mapping[str, int]) -> dict[str, str]:
    return {resource: str(amounts[resource]) for resource in sorted(amounts)}
