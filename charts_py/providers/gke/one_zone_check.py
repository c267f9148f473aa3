"""Node pools on GKE whose machines could not all be made in the zones that they may be in.

https://docs.cloud.google.com/vpc/docs/rdma-network-profiles and
https://cloud.google.com/kubernetes-engine/docs/how-to/compact-placement
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.providers.gke.workload_policy import stands_in_a_rack
from charts_py.providers.provisioned_by import is_provisioned_by
from gpus.interconnect import Interconnect

_NETWORKS = f"gke.networks.{Interconnect.ROCE}"
_OR_ETHERNET = f'or interconnect "{Interconnect.ETHERNET}"'


def check_one_zone(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that is bound to one zone and is not, or not to the same.

    A network for RDMA is of one zone, and all pools share those that the file names; a rack stands
    in one. GKE chooses the zone of a ComputeClass by itself.
    """
    if not is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
        return
    if not all(draft.is_read(path) for path in (("region",), ("gke", "location"))):
        return
    pools = [pool for pool in draft.pools if draft.is_whole((*pool.path, "zones"))]
    for pool in pools:
        if len(_zones(draft, pool)) != 1:
            yield from _not_in_one(draft, pool)
    yield from _in_different_ones(draft, [pool for pool in pools if _is_on_roce(pool)])


def _zones(draft: Draft, pool: DraftPool) -> tuple[str, ...]:
    """Return the zones that are known; the cluster's own is one where it is not a region."""
    location = draft.cluster.gke.location if draft.cluster.gke else draft.cluster.region
    of_cluster = () if location == draft.cluster.region else (location,)
    return pool.spec.zones or of_cluster


def _is_on_roce(pool: DraftPool) -> bool:
    """Return whether it uses RoCE; another check reports machines that do not have it."""
    hardware = pool.hardware
    if hardware is None or hardware.interconnect is not Interconnect.ROCE:
        return False
    return hardware.machine is None or hardware.machine.rdma is Interconnect.ROCE


def _not_in_one(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    count = f"{len(_zones(draft, pool)) or 'no'} zones"
    path = (*pool.path, "zones")
    if _is_on_roce(pool):
        what = f"{count}; the networks of {_NETWORKS} take machines of one"
        yield Problem(path, what, f"one zone, {_OR_ETHERNET}")
    elif stands_in_a_rack(pool.hardware, draft.cluster.gke):
        yield Problem(path, f"{count}; the rack of gke.workloadPolicy stands in one", "one zone")


def _in_different_ones(draft: Draft, pools: list[DraftPool]) -> Iterator[Problem]:
    placed = [(pool, zones[0]) for pool in pools if len(zones := _zones(draft, pool)) == 1]
    for pool, zone in placed[1:]:
        first, expected = placed[0]
        if zone != expected:
            what = f"{zone}; {first.name} is in {expected}, and both talk over {_NETWORKS}"
            yield Problem((*pool.path, "zones"), what, f"{expected}, {_OR_ETHERNET}")
