"""Whether prices are of what there is, and each is stated once."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft, DraftPool
from gpus.nearest import nearest
from gpus.purchase import LIST_CURRENCY


def check_cost(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each price that nothing goes by."""
    yield from _rate(draft)
    yield from _instance_types(draft)
    for pool in draft.pools:
        yield from _owned(draft, pool)


def _rate(draft: Draft) -> Iterator[Problem]:
    cost, is_read = draft.cluster.cost, draft.is_read(("cost", "currency"))
    if cost.usd_rate is not None and cost.currency == LIST_CURRENCY and is_read:
        what = f"without effect: amounts are in {LIST_CURRENCY} already"
        allowed = "another cost.currency, or usdRate: null in a cluster that has the fleet's rate"
        yield Problem(("cost", "usdRate"), what, allowed)


def _instance_types(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each name that is not an instance type of any cloud."""
    known = {name for types in draft.catalog.instance_types.values() for name in types}
    known |= {pool.spec.instance_type for pool in draft.pools if pool.spec.instance_type}
    for name in draft.cluster.cost.prices:
        if name not in known:
            allowed = "an instance type that a pool has, or that `gpuplane hardware` lists"
            what = f'unknown instance type "{name}"'
            yield Problem(("cost", "prices", name), what, allowed, nearest(name, known))


def _owned(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    owned, path = pool.spec.owned, (*pool.path, "owned")
    if owned is None:
        return
    is_powered = draft.cluster.cost.electricity or not draft.is_read(("cost", "electricity"))
    if draft.provider.makes_nodes:
        what = f"machines of {draft.provider.name} are rented by the hour"
        yield Problem(path, what, "price, or cost.prices")
    elif pool.spec.price is not None:
        yield Problem(path, "price states what a node costs already", "one of the two")
    elif owned.kilowatts and not is_powered:
        what = "what a kilowatt-hour costs is not stated"
        yield Problem((*path, "kilowatts"), what, "state cost.electricity, or leave kilowatts out")
