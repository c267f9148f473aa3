"""What pods have to say or leave out from now on to get nodes of a pool that they got before."""

from collections.abc import Iterable, Iterator

from gpus.sharing import SharingKind
from policies.settings import PoolSettings
from policies.toleration import is_spot


def stricter_pools(
    before: Iterable[PoolSettings], after: Iterable[PoolSettings], cluster: str = ""
) -> Iterator[str]:
    """Yield a clause for each way in which a pool that stays refuses pods which it took.

    Each names the cluster where one is given.
    """
    pools = {pool.name: pool for pool in before}
    for pool in after:
        if (old := pools.get(pool.name)) is not None:
            place = f"{cluster}/{pool.name}" if cluster else pool.name
            yield from _stricter(old, pool, place)


def _stricter(old: PoolSettings, new: PoolSettings, place: str) -> Iterator[str]:
    if is_spot(new) and not is_spot(old):
        yield f"pods on {place} have to opt in to spot nodes"
    most = {each.name: each.per_node for each in new.resources}
    # Of shares and MIG instances pods ask for few, and a node has many.
    for each in (one for one in old.resources if one.sharing is SharingKind.NONE):
        if 0 < (left := most.get(each.name, 0)) < each.per_node:
            yield (
                f"pods on {place} can ask for {left} {each.name} at most in place of "
                f"{each.per_node}"
            )
