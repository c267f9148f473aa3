"""Reads running nodes that somebody counted or exported, and checks that their pools are there."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.plan.fields import kind_of
from gpuplane.plan.pools import named_pools, pools_of
from gpuplane.plan.version_platform import NotKnown, version_platform
from gpuplane.versions.comparison import ComparedSide, Comparison, VersionReader
from gpuplane.versions.tree import DistError
from gpus.nearest import nearest, nearest_hint
from gpus.platform_names import POOL
from policies.document import members, objects, text

RunningNodes: TypeAlias = Mapping[tuple[str, str], int]
"""The number of running nodes by cluster and pool, where somebody counted them."""


class NodeCountError(ValueError):
    """A count of nodes that cannot be read."""


def exported_nodes(cluster: str, exported: Iterable[Document]) -> dict[tuple[str, str], int]:
    labels = (
        members(members(one.get("metadata")).get("labels"))
        for document in exported
        for _, one in objects(document)
        if one.get("kind") == "Node"
    )
    pools = Counter(text(each[POOL]) for each in labels if each.get(POOL))
    return {(cluster, pool): count for pool, count in pools.items()}


def counted_nodes(counted: Iterable[str], names: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """Read counts such as `[CLUSTER/]POOL=COUNT`; raise NodeCountError for another text.

    The cluster can be left out where only one is asked for.
    """
    return dict(_counted(each, names) for each in counted)


def _counted(one: str, names: tuple[str, ...]) -> tuple[tuple[str, str], int]:
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


def check_counted_pools(
    counted: RunningNodes,
    comparisons: Mapping[str, Iterable[Comparison]],
    here: Mapping[str, Platform],
) -> None:
    """Raise DistError for a pool that no side of a cluster has, or a cluster that is not planned.

    `comparisons` and `here`, clusters as their files on the disk have them, are by name. Of a side
    that is not known, the objects name the pools. Raises it for more nodes than a pool can have.
    """
    for (cluster, pool), count in counted.items():
        if cluster not in comparisons:
            raise DistError(
                f'nodes of {cluster}/{pool}: "{cluster}" is not planned; '
                f"{_allowed(cluster, comparisons)}"
            )
        now = here.get(cluster)
        compared = [side for each in comparisons[cluster] for side in (each.old, each.new)]
        sides = (now, *(version_platform(side, now) for side in compared))
        most = _most_nodes(side for side in sides if isinstance(side, Platform))
        # Of a side that is not known, objects name the pools.
        unknown = [one for one, side in zip(compared, sides[1:], strict=True) if _is_unknown(side)]
        pools = {*most, *(name for side in unknown for name in _rendered_pools(side))}
        if pool not in pools:
            raise DistError(
                f'nodes of {cluster}/{pool}: {cluster} has no pool "{pool}"; '
                f"{_allowed(pool, pools)}"
            )
        if not unknown and count > most[pool]:
            raise DistError(
                f"nodes of {cluster}/{pool}: {count} are more than the pool can have; "
                f"allowed: at most {most[pool]}"
            )


def _most_nodes(platforms: Iterable[Platform]) -> dict[str, int]:
    """Return the nodes of each pool at its largest, on whichever side."""
    most: dict[str, int] = {}
    for pool in (pool for platform in platforms for pool in platform.pools):
        most[pool.name] = max(pool.spec.nodes.max, most.get(pool.name, 0))
    return most


def _is_unknown(side: Platform | NotKnown | None) -> bool:
    return isinstance(side, NotKnown)


def _rendered_pools(side: ComparedSide) -> Iterator[str]:
    """Yield the pools that objects of a version make, label or choose."""
    for placed, document in VersionReader().objects_of(side.tree, side.file_name).items():
        yield from (pool.name for pool in pools_of(kind_of(placed.key), document))
        yield from named_pools(document)


def _allowed(name: str, names: Iterable[str]) -> str:
    known = sorted(names)
    return f"allowed: {', '.join(known) or 'none'}{nearest_hint(nearest(name, known))}"
