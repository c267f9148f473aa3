"""Whether the pools are there whose nodes somebody counted."""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.platform.platform import Platform
from gpuplane.plan.outage.pool_nodes import RunningNodes
from gpuplane.plan.version_platform import NotKnown, version_platform
from gpuplane.versions.comparison import Comparison
from gpuplane.versions.dist_error import DistError
from gpus.nearest import nearest, nearest_hint


def check_counted_pools(
    counted: RunningNodes,
    comparisons: Mapping[str, Iterable[Comparison]],
    here: Mapping[str, Platform],
) -> None:
    """Raise DistError for a pool that no side of a cluster has, or a cluster that is not planned.

    `comparisons` and `here`, clusters as their files on the disk have them, are by name. Where a
    side is not known, any pool may have been there.
    """
    for cluster, pool in counted:
        if cluster not in comparisons:
            raise DistError(
                f'nodes of {cluster}/{pool}: "{cluster}" is not planned; '
                f"{_allowed(cluster, comparisons)}"
            )
        sides = tuple(_sides(comparisons[cluster], here.get(cluster)))
        pools = {one.name for side in sides if isinstance(side, Platform) for one in side.pools}
        if pool not in pools and not any(isinstance(side, NotKnown) for side in sides):
            raise DistError(
                f'nodes of {cluster}/{pool}: {cluster} has no pool "{pool}"; '
                f"{_allowed(pool, pools)}"
            )


def _sides(
    comparisons: Iterable[Comparison], here: Platform | None
) -> Iterator[Platform | NotKnown | None]:
    yield here
    for each in comparisons:
        yield from (version_platform(side, here) for side in (each.old, each.new))


def _allowed(name: str, names: Iterable[str]) -> str:
    known = sorted(names)
    return f"allowed: {', '.join(known) or 'none'}{nearest_hint(nearest(name, known))}"
