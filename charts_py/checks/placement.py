"""Where pools are, what their nodes are, and what they hold: region, range, reservation, pods."""

import re
from collections.abc import Iterator
from string import digits

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.other_names import respelled
from charts_py.cluster_file.pool import NodeMatch
from charts_py.platform.draft import Draft, DraftPool, zone_problems
from gpus.instance_type import Interconnect
from gpus.nearest import nearest

_MAX_UNLISTED_REGIONS = 3
"""Regions of one name that there may be beyond the last that is listed."""


def check_placement(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each purchase, zone, network or machine that the provider lacks."""
    for pool in draft.pools:
        yield from _check_purchase(draft, pool)
        yield from zone_problems(draft, pool.zones)
        yield from _check_interconnect(draft, pool)
        yield from _check_rdma_resource(draft, pool)
        yield from _check_network_environment(pool)
        if pool.spec.match != NodeMatch() and draft.provider.makes_nodes:
            what = f"{draft.cluster.provider} creates the nodes of the pool itself"
            yield Problem((*pool.path, "match"), what, "no match")


def _check_purchase(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    purchase, sold = pool.spec.purchase, pool.sold(draft.provider)
    if purchase not in sold:
        by_machine = f"for {pool.spec.instance_type}"
        by_cloud = f"on {draft.cluster.provider}"
        lacking = by_machine if purchase in draft.provider.purchases else by_cloud
        usable = ", ".join(draft.purchases(pool))
        allowed = usable or f"{', '.join(sold)}, with nodes.queued false"
        yield Problem((*pool.path, "purchase"), f'"{purchase}" is not available {lacking}', allowed)


def _check_interconnect(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
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


def _check_rdma_resource(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem where no device plugin of the cluster's own offers the network to pods."""
    if pool.spec.rdma_resource is None and pool.spec.rdma_count > 1:
        what = f"{pool.spec.rdma_count} of what rdmaResource does not name"
        yield Problem((*pool.path, "rdmaCount"), what, "no rdmaCount, or an rdmaResource")
    if pool.spec.rdma_resource is None or pool.hardware is None:
        return
    network, provider = pool.hardware.interconnect, draft.provider
    by_own_plugin = {Interconnect.INFINIBAND, Interconnect.ROCE}
    if network not in by_own_plugin or not provider.takes_rdma_plugin:
        what = f"set; pods on {provider.name} use {network} without it; remove this line"
        yield Problem((*pool.path, "rdmaResource"), what)


def _check_network_environment(pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem where pods use no network between nodes that variables could be for."""
    is_ethernet = pool.hardware and pool.hardware.interconnect is Interconnect.ETHERNET
    if pool.spec.network_environment and is_ethernet:
        what = f"without effect: the interconnect is {Interconnect.ETHERNET}; remove this line"
        yield Problem((*pool.path, "networkEnvironment"), what)


def check_node_range(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each count of nodes above the maximum."""
    for pool in draft.pools:
        if not draft.is_read((*pool.path, "nodes", "max")):
            continue
        nodes = pool.spec.nodes
        for field, count in (("min", nodes.min), ("warm", nodes.warm), ("spare", nodes.spare)):
            if count > nodes.max:
                yield Problem(
                    (*pool.path, "nodes", field), f"{count} is above max", f"at most {nodes.max}"
                )


def check_reservation(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each reservation that is not used, or not one of the provider."""
    pattern = draft.provider.reservation_pattern
    for pool in draft.pools:
        path, reservation = (*pool.path, "reservation"), pool.spec.reservation
        if reservation is None or not draft.is_read((*pool.path, "purchase")):
            continue
        if pattern is None:
            what = f"{draft.cluster.provider} has no reservations"
            yield Problem(path, what, "no reservation")
        elif not pool.spec.purchase.takes_reservation:
            what = f"the purchase is {pool.spec.purchase}, which takes no reservation"
            taking = [f'"{one}"' for one in draft.purchases(pool) if one.takes_reservation]
            only = f"only with purchase {' or '.join(taking)}" if taking else "no reservation"
            yield Problem(path, what, only)
        elif not re.fullmatch(pattern, reservation):
            what = f'"{reservation}" is not a reservation of {draft.cluster.provider}'
            allowed = f"one such as {draft.provider.reservation_example}"
            yield Problem(path, what, allowed, respelled(reservation, pattern))


def check_region(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a region that the cloud cannot have.

    One that is not known may be new: only its form and its number can be checked.
    """
    region, regions = draft.cluster.region, draft.provider.regions
    if not draft.is_read(("region",)):
        return
    if not re.fullmatch(regions.pattern, region):
        what = f'"{region}" is not a region of {draft.cluster.provider}'
        allowed = f"one such as {draft.provider.region}"
        yield Problem(("region",), what, allowed, nearest(region, regions.names))
        return
    name = region.rstrip(digits)
    alike = sorted((one for one in regions.names if one.rstrip(digits) == name), key=_number)
    if alike and _number(region) > (newest := _number(alike[-1]) + _MAX_UNLISTED_REGIONS):
        what = f'"{region}" is not a region of {draft.cluster.provider}'
        allowed = f"{', '.join(alike)}, or a newer one up to {name}{newest}"
        yield Problem(("region",), what, allowed)


def _number(region: str) -> int:
    """Return the number at the end; the first region of a name may have none."""
    return int(region[len(region.rstrip(digits)) :] or 1)


def check_pods(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose nodes hold too many pods, or too few."""
    maximum = draft.provider.max_pods_per_node
    for pool in draft.pools:
        if pool.max_pods > maximum:
            what = f"{pool.max_pods} pods on a node of {draft.cluster.provider}"
            yield Problem((*pool.path, "maxPods"), what, f"at most {maximum}")
        # What addresses bound is reported by the provider.
        elif pool.facts is not None and not _lacks_addresses(pool):
            bound = min(maximum, pool.addressed_pods or maximum)
            yield from _check_room(pool, pool.facts.allocations_per_node, bound)


def _lacks_addresses(pool: DraftPool) -> bool:
    wanted = max(pool.max_pods, pool.facts.allocations_per_node if pool.facts else 0)
    return pool.addressed_pods is not None and wanted > pool.addressed_pods


def _check_room(pool: DraftPool, allocations: int, maximum: int) -> Iterator[Problem]:
    if allocations <= pool.max_pods:
        return
    offered = f"a node offers {allocations} allocations"
    if allocations > maximum:
        what = f"{offered}, and no node here can hold that many pods"
        yield Problem((*pool.path, "sharing"), what, f"at most {maximum} allocations per node")
    else:
        what = f"{offered} and holds {pool.max_pods} pods"
        allowed = f"{allocations} to {maximum}, with room for the system pods"
        yield Problem((*pool.path, "maxPods"), what, allowed)
