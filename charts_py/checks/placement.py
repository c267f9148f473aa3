"""How and where the nodes of a pool are bought, and the network between them."""

import re
from collections.abc import Iterator

from charts_py.checks.draft import Draft, DraftPool
from charts_py.spec.fault import Problem
from charts_py.spec.pool import Interconnect, NodeMatch, Purchase
from charts_py.spec.provider import Provider
from gpus.catalog import load_catalog


def check_placement(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each purchase, zone, network or machine that the provider lacks."""
    for pool in draft.pools:
        yield from _purchase(draft, pool)
        yield from _zones(draft, pool)
        yield from _interconnect(draft, pool)
        if pool.spec.match != NodeMatch() and draft.cluster.provider is not Provider.ONPREM:
            yield Problem((*pool.path, "match"), f"{draft.cluster.provider} makes the nodes itself")


def _purchase(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    provider, purchase = draft.cluster.provider, pool.spec.purchase
    if purchase not in draft.provider.purchases:
        allowed = ", ".join(draft.provider.purchases)
        yield Problem((*pool.path, "purchase"), f'"{purchase}" is not sold {provider}', allowed)
    if pool.spec.reservation is not None and purchase is not Purchase.RESERVED:
        yield Problem(
            (*pool.path, "reservation"),
            f"the purchase is {purchase}",
            f"only with {Purchase.RESERVED}",
        )


def _zones(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    region = draft.cluster.region
    if not draft.is_read(("region",)):
        return
    pattern = draft.provider.zone_pattern.replace("{region}", re.escape(region))
    for index, zone in enumerate(pool.spec.zones):
        if not re.fullmatch(pattern, zone):
            allowed = draft.provider.zone_pattern.replace("{region}", region)
            yield Problem(
                (*pool.path, "zones", index), f'"{zone}" is no zone of {region}', f"^{allowed}$"
            )


def _interconnect(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    wanted = pool.spec.interconnect
    if wanted is None or pool.hardware is None:
        return
    allowed = draft.provider.interconnects
    known = load_catalog().instance_types.get(draft.cluster.provider.value, {})
    instance_type = known.get(pool.spec.instance_type or "")
    if instance_type is not None:
        rdma = instance_type.rdma
        allowed = (Interconnect.ETHERNET, *((Interconnect(rdma),) if rdma else ()))
    if wanted not in allowed:
        owner = pool.spec.instance_type or draft.cluster.provider
        yield Problem(
            (*pool.path, "interconnect"), f'{owner} has no "{wanted}"', ", ".join(allowed)
        )
