"""What a namespace and a team may have, of GPUs.

Of a queue of KAI, `quota` is what it gets back from others that have more than theirs, `limit` the
most that it may have, and `overQuotaWeight` its part of what others leave unused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from charts_py.components.kai_queues.api import API_VERSION
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.queue_amounts import namespace_amounts, team_amounts, team_queue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform
    from charts_py.platform.queue_amounts import Amounts

_UNBOUNDED = {"quota": -1, "limit": -1}
"""Of what is not stated, a queue has nothing."""


def queues(platform: Platform) -> Iterator[Document]:
    """Yield a Queue for each team, and below it one for each of its namespaces."""
    for name, amounts in team_amounts(platform).items():
        share = platform.cluster.teams[name].share
        yield _queue(team_queue(name), _gpus(amounts, share), {})
    for namespace in platform.namespaces:
        parent = {"parentQueue": team_queue(namespace.team_name)}
        gpus = _gpus(namespace_amounts(platform, namespace), 1)
        yield _queue(namespace.name, gpus, parent)


def _gpus(amounts: Amounts, weight: int) -> dict[str, int]:
    """Return the quota on GPUs, one number for those of all makers."""
    return {
        "quota": sum(each.own for each in amounts.values()),
        "limit": sum(each.most for each in amounts.values()),
        "overQuotaWeight": weight,
    }


def _queue(name: str, gpus: dict[str, int], parent: Mapping[str, str]) -> Document:
    resources = {"cpu": _UNBOUNDED, "memory": _UNBOUNDED, "gpu": gpus}
    spec: dict[str, Any] = {**parent, "resources": resources}
    return object_of(API_VERSION, "Queue", ObjectMeta(name), {"spec": spec})
