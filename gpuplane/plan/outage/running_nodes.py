"""Nodes that run, as somebody counted or exported them."""

from collections import Counter
from collections.abc import Iterable

from charts_py.objects.document import Document
from gpus.platform_names import POOL
from policies.document import members, text
from policies.manifest_pod import objects


class NodeCountError(ValueError):
    """What is wrong with a count of nodes."""


def exported_nodes(cluster: str, exported: Iterable[Document]) -> dict[tuple[str, str], int]:
    """Return how many Nodes of each pool a cluster has, by an export of it."""
    labels = (
        members(members(one.get("metadata")).get("labels"))
        for document in exported
        for _, one in objects(document)
        if one.get("kind") == "Node"
    )
    pools = Counter(text(each[POOL]) for each in labels if each.get(POOL))
    return {(cluster, pool): count for pool, count in pools.items()}


def stated_nodes(stated: Iterable[str], names: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """Return the counts that `[CLUSTER/]POOL=COUNT` state; raise NodeCountError for another text.

    The cluster can be left out where only one is asked for.
    """
    return dict(_stated(each, names) for each in stated)


def _stated(one: str, names: tuple[str, ...]) -> tuple[tuple[str, str], int]:
    place, _, count = one.partition("=")
    cluster, slash, pool = place.rpartition("/")
    if not (pool and count.isdecimal()):
        raise NodeCountError(f'"{one}" is not a number of nodes; allowed: [CLUSTER/]POOL=COUNT')
    if not slash and len(names) != 1:
        raise NodeCountError(
            f'"{one}" needs a cluster, since {len(names) or "all"} are planned; '
            f"allowed: CLUSTER/{one}"
        )
    return (cluster or names[0], pool), int(count)
