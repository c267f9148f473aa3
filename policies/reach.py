"""The pools that a pod can run on, by what it asks for and the nodes that it selects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from gpus.taint import Taint
from policies.node_terms import may_meet, of_pool
from policies.resource_offer import ResourceOffer, offers_by_resource
from policies.settings import PoolSettings
from policies.spot import is_spot
from policies.toleration import keeps_off

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from policies.node_terms import Term


class Reach(NamedTuple):
    """The pools that a pod can run on."""

    pools: tuple[PoolSettings, ...]
    """Those that offer all that it asks for; none where it asks for no GPU resource."""
    selected: tuple[PoolSettings, ...]
    """All whose nodes it selects, whatever they offer."""
    landing: tuple[PoolSettings, ...]
    """All on whose nodes it could land, whatever their labels but the name of the pool become; with
    a GPU resource also before they have that label."""
    offered: Mapping[str, ResourceOffer]
    """What `pools` offer; where there are none, what all pools of the cluster do."""
    taints: tuple[Taint, ...]
    """Taints that keep pods off those of `pools` that are not spot, without repeats."""
    taints_with_spot: tuple[Taint, ...]
    """Taints that keep pods off any of `pools`, without repeats."""
    only_spot: bool
    """Whether all of `pools`, at least one, can be taken away at any time."""


def find_reach(
    every: Sequence[PoolSettings],
    wanted: Sequence[str],
    selector: Term,
    terms: tuple[Term, ...] | None,
) -> Reach:
    """Return which of the cluster's pools a pod can run on that wants these resources."""
    selected = [pool for pool in every if may_meet(pool, selector) and _meets_one(pool, terms)]
    pools = [pool for pool in selected if wanted and _offers_all(pool, wanted)]
    lasting = [pool for pool in pools if not is_spot(pool)]
    return Reach(
        pools=tuple(pools),
        selected=tuple(selected),
        landing=_landing(every, selector, terms, named=bool(wanted)),
        offered=offers_by_resource(pools or every),
        taints=_taints(lasting),
        taints_with_spot=_taints(pools),
        only_spot=bool(pools) and not lasting,
    )


def _landing(
    every: Sequence[PoolSettings], selector: Term, terms: tuple[Term, ...] | None, *, named: bool
) -> tuple[PoolSettings, ...]:
    own = of_pool(selector, named=named)
    owns = None if terms is None else tuple([of_pool(term, named=named) for term in terms])
    return tuple([pool for pool in every if may_meet(pool, own) and _meets_one(pool, owns)])


def _meets_one(pool: PoolSettings, terms: tuple[Term, ...] | None) -> bool:
    return terms is None or any(may_meet(pool, term) for term in terms)


def _offers_all(pool: PoolSettings, wanted: Sequence[str]) -> bool:
    return set(wanted) <= {resource.name for resource in pool.resources}


def _taints(pools: Iterable[PoolSettings]) -> tuple[Taint, ...]:
    return tuple(
        dict.fromkeys(taint for pool in pools for taint in pool.taints if keeps_off(taint))
    )
