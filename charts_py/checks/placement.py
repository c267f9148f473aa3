"""How and where the nodes of a pool are bought, and the network between them."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import NodeMatch
from charts_py.platform.draft import Draft, DraftPool
from gpus.instance_type import Interconnect
from gpus.nearest import nearest


def check_placement(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each purchase, zone, network or machine that the provider lacks."""
    for pool in draft.pools:
        yield from _purchase(draft, pool)
        yield from _zones(draft, pool)
        yield from _interconnect(draft, pool)
        yield from _rdma_resource(draft, pool)
        if pool.spec.match != NodeMatch() and draft.provider.makes_nodes:
            what = f"{draft.cluster.provider} creates the nodes of the pool itself"
            yield Problem((*pool.path, "match"), what, "no match")


def _purchase(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    provider, purchase = draft.cluster.provider, pool.spec.purchase
    if purchase not in draft.provider.purchases:
        what = f'"{purchase}" is not available on {provider}'
        yield Problem((*pool.path, "purchase"), what, ", ".join(draft.provider.purchases))


def _zones(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    region = draft.cluster.region
    if not draft.is_read(("region",)) or not re.fullmatch(draft.provider.region_pattern, region):
        return
    pattern = draft.provider.zone_pattern.replace("{region}", region)
    for index, zone in enumerate(pool.spec.zones):
        if not re.fullmatch(pattern, zone):
            path = (*pool.path, "zones", index)
            yield Problem(path, f'"{zone}" is not a zone of {region}', f"^{pattern}$")


def _interconnect(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    wanted = pool.spec.interconnect
    if wanted is None or pool.hardware is None:
        return
    allowed = draft.provider.interconnects
    known = draft.catalog.instance_types.get(draft.cluster.provider, {})
    instance_type = known.get(pool.spec.instance_type or "")
    if instance_type is not None:
        rdma = instance_type.rdma
        allowed = (Interconnect.ETHERNET, *((rdma,) if rdma else ()))
    if wanted not in allowed:
        owner = instance_type.name if instance_type else draft.cluster.provider
        what = f'{owner} has no "{wanted}"'
        path = (*pool.path, "interconnect")
        yield Problem(path, what, ", ".join(allowed), nearest(wanted, allowed))


def _rdma_resource(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem where no device plugin of the cluster's own offers the network to pods."""
    if pool.spec.rdma_resource is None or pool.hardware is None:
        return
    network, provider = pool.hardware.interconnect, draft.provider
    by_own_plugin = {Interconnect.INFINIBAND, Interconnect.ROCE}
    if network not in by_own_plugin or provider.no_rdma_plugin is not None:
        what = f"set; pods on {provider.name} use {network} without it"
        yield Problem((*pool.path, "rdmaResource"), what, "nothing")
