"""Checks of a cluster file that only GKE needs.

Sources for networks and racks: https://docs.cloud.google.com/vpc/docs/rdma-network-profiles and
https://cloud.google.com/kubernetes-engine/docs/how-to/compact-placement
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import Feature
from charts_py.cluster_file.pool import Pool, SharingSpec
from charts_py.cluster_file.provider import GkeNetwork, GkeProvisioner
from charts_py.platform.draft import Draft, DraftPool, feature_problem
from charts_py.platform.provider_facts import NodeHardware
from charts_py.providers.definition import is_provisioned_by
from charts_py.providers.gke.machine import (
    initial_nodes_per_zone,
    networks_needed,
    stands_in_a_rack,
    zones_of,
)
from gpus.instance_type import Interconnect
from gpus.nearest import nearest
from gpus.purchase import Purchase

_NETWORKS = ("gke", "networks")
_ROCE_NETWORKS = f"gke.networks.{Interconnect.ROCE}"
_OR_ETHERNET = f'or interconnect "{Interconnect.ETHERNET}"'
_DEFAULT = "default"
"""The ComputeClass of pods that select none
(https://cloud.google.com/kubernetes-engine/docs/how-to/run-pods-default-compute-classes)."""
_FOR_A_JOB = "where nodes start only for a job that waits"
_QUEUED = frozenset({Purchase.FLEX_START, Purchase.ON_DEMAND})
"""Purchases with which they can; Google sells them as flex-start with queued provisioning."""


def check_location(draft: Draft) -> Iterator[Problem]:
    gke, region = draft.cluster.gke, draft.cluster.region
    regions = draft.provider.regions
    is_region = draft.is_read(("region",)) and re.fullmatch(regions.pattern, region)
    if gke is None or not is_region:
        return
    zone = regions.zone_pattern.replace("{region}", re.escape(region))
    if gke.location != region and not re.fullmatch(zone, gke.location):
        what = f'"{gke.location}" is not in {region}'
        yield Problem(("gke", "location"), what, f"{region}, or a zone such as {region}-a")


def check_accelerator(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool on GKE whose GPU has no name there, described or not."""
    known = draft.catalog.accelerators(draft.provider.name)
    for pool in draft.pools:
        if pool.hardware is None or pool.hardware.machine is not None:
            continue
        if (model := pool.hardware.model.name) not in known:
            what = f"{model} is not available on GKE"
            yield Problem((*pool.path, "gpu"), what, ", ".join(known), nearest(model, known))


def unsold(cluster: Cluster, pool: Pool) -> Set[Purchase]:
    """Return those by which nodes do not start for a job, or for which there is no field."""
    if pool.nodes.queued:
        return {*Purchase} - _QUEUED
    by_pods = cluster.gke is None or cluster.gke.provisioner is GkeProvisioner.COMPUTE_CLASS
    return set() if by_pods else {Purchase.FLEX_START}


def check_sharing(draft: Draft) -> Iterator[Problem]:
    if not is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
        return
    for pool in draft.pools:
        if pool.spec.sharing != SharingSpec():
            path = (*pool.path, "sharing")
            yield from feature_problem(draft, path, Feature.COMPUTE_CLASS_SHARING)


def check_mps(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool on GKE that is shared by MPS.

    Google's device plugin mounts `/tmp/nvidia-mps` into a container and nothing else, so that the
    server reaches a client's memory only in the host's IPC namespace, which teams never get.
    pkg/gpu/nvidia/manager.go of https://github.com/GoogleCloudPlatform/container-engine-accelerators
    at 992db81; https://cloud.google.com/kubernetes-engine/docs/how-to/nvidia-mps-gpus
    """
    for pool in draft.shareable_pools:
        if pool.sharing.mps > 1:
            what = "MPS on GKE takes pods with hostIPC, which are refused"
            yield Problem((*pool.path, "sharing", "mps"), what, "timeSlicing")


def check_compute_class(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each node that GKE would not keep, and for the name that it reserves."""
    if not is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
        return
    for pool in draft.pools:
        if pool.name == _DEFAULT:
            what = f'"{_DEFAULT}" is the ComputeClass of all pods that select none'
            yield Problem(pool.path, what, "another name")
        remedy = f'gke.provisioner "{GkeProvisioner.CONFIG_CONNECTOR}"'
        yield from _check_kept_nodes(pool, "in a ComputeClass, which keeps no idle nodes", remedy)


def _check_kept_nodes(pool: DraftPool, why: str, remedy: str) -> Iterator[Problem]:
    nodes = pool.spec.nodes
    for field, count in (("min", nodes.min), ("warm", nodes.warm)):
        if count > 0:
            yield Problem((*pool.path, "nodes", field), f"{count} {why}", f"0, or {remedy}")


def check_queued(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of queued nodes that keeps nodes, or buys them otherwise."""
    for pool in draft.pools:
        if pool.spec.nodes.queued and draft.is_whole((*pool.path, "nodes")):
            if is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
                what = "a ComputeClass starts nodes for pods, not for jobs that wait"
                allowed = f'false, or gke.provisioner "{GkeProvisioner.CONFIG_CONNECTOR}"'
                yield Problem((*pool.path, "nodes", "queued"), what, allowed)
            yield from _check_kept_nodes(pool, _FOR_A_JOB, "queued false")
            path, purchase = (*pool.path, "purchase"), pool.spec.purchase
            if purchase in pool.sold(draft.provider) and purchase not in _QUEUED:
                usable = ", ".join(draft.purchases(pool))
                allowed = f"{usable}, or nodes.queued false" if usable else "nodes.queued false"
                yield Problem(path, f'"{purchase}" {_FOR_A_JOB}', allowed)


def check_flex_start(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that Config Connector can start for a job that waits alone."""
    if not is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
        return
    for pool in draft.pools:
        path, purchase = (*pool.path, "purchase"), pool.spec.purchase
        is_flexible = purchase is Purchase.FLEX_START and purchase in pool.sold(draft.provider)
        is_read = draft.is_whole((*pool.path, "nodes")) and draft.is_read(path)
        if is_flexible and is_read and not pool.spec.nodes.queued:
            what = f'"{Purchase.FLEX_START}": Config Connector has no field for it'
            # Neither keeps idle nodes.
            flexible = f'nodes.queued true, or gke.provisioner "{GkeProvisioner.COMPUTE_CLASS}"'
            ways = (*draft.purchases(pool), *(() if pool.spec.nodes.kept else (flexible,)))
            yield Problem(path, what, ", ".join(ways))


def check_numa(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose kubelets were to align NUMA nodes.

    GKE's API has the field, neither Config Connector 1.155 nor a ComputeClass has
    (https://cloud.google.com/kubernetes-engine/docs/how-to/node-system-config).
    """
    is_class = is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS)
    maker = "a ComputeClass" if is_class else "Config Connector"
    for pool in draft.pools:
        if pool.spec.numa is not None and draft.has_provider_settings:
            what = f"{maker} has no field for the topology manager of kubelets"
            yield Problem((*pool.path, "numa"), f"{what}; remove this line")


def check_initial_nodes(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose kept nodes, rounded up in each zone, exceed its maximum.

    Those that are kept beyond the maximum themselves are a problem of any provider.
    """
    if not is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
        return
    if not all(draft.is_read(path) for path in (("region",), ("gke", "location"))):
        return
    for pool in draft.pools:
        is_read = draft.is_whole((*pool.path, "nodes")) and draft.is_whole((*pool.path, "zones"))
        if is_read and pool.spec.nodes.kept <= pool.spec.nodes.max:
            yield from _check_maximum(draft, pool)


def _check_maximum(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    zones = zones_of(pool.spec, draft.cluster)
    per_zone = initial_nodes_per_zone(pool.spec, draft.cluster)
    if per_zone * zones > pool.spec.nodes.max:
        what = (
            f"{pool.spec.nodes.max}, but the pool starts with {per_zone} in each of {zones} zones"
        )
        allowed = f"at least {per_zone * zones}, or fewer zones in pools.{pool.name}.zones"
        yield Problem((*pool.path, "nodes", "max"), what, allowed)


def check_networks(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that would have its interconnect by name alone.

    GKE makes the networks of a ComputeClass, and takes those of a node pool as they are given.
    """
    for pool in draft.pools:
        if pool.hardware is None or not _talks_over_them(pool.hardware):
            continue
        path = (*pool.path, "interconnect")
        if is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
            yield from feature_problem(draft, path, Feature.ACCELERATOR_NETWORKS)
        elif is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
            yield from _check_network_count(draft, pool, pool.hardware)


def _talks_over_them(hardware: NodeHardware) -> bool:
    """Return whether it needs networks; another check reports what the machine does not have."""
    machine = hardware.machine
    is_had = machine is None or machine.rdma is hardware.interconnect
    return is_had and networks_needed(hardware) > 0


def _check_network_count(
    draft: Draft, pool: DraftPool, hardware: NodeHardware
) -> Iterator[Problem]:
    gke, kind = draft.cluster.gke, hardware.interconnect
    if gke is None or not draft.is_whole(("gke", "networks")):
        return
    given, needed = len(gke.networks.get(kind, ())), networks_needed(hardware)
    if given < needed:
        what = f"{kind} takes {needed} networks, and gke.networks.{kind} has {given}"
        allowed = f'{needed} networks there, or "{Interconnect.ETHERNET}" here'
        yield Problem((*pool.path, "interconnect"), what, allowed)


def check_distinct_networks(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each network that another interface of the machines is in already.

    Interfaces of gVNIC, which all of GPUDirect are, stand in a network each. Those for RDMA share
    one, which takes no gVNIC, and have a subnetwork each.
    https://docs.cloud.google.com/vpc/docs/multiple-interfaces-concepts and
    https://docs.cloud.google.com/vpc/docs/rdma-network-profiles
    """
    gke = draft.cluster.gke
    if gke is None or not draft.is_whole(_NETWORKS):
        return
    for kind, networks in gke.networks.items():
        yield from _check_repeated(kind, "subnetwork", [each.subnetwork for each in networks])
        yield from _check_repeated(kind, "object", [each.object for each in networks])
        if kind is Interconnect.ROCE:
            yield from _check_first_network(networks)
        else:
            yield from _check_repeated(kind, "network", [each.network for each in networks])


def _check_repeated(
    kind: Interconnect, field: str, names: Sequence[str | None]
) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if name is not None and name in names[:index]:
            what = f'"{name}" is the {field} of another interface'
            yield Problem((*_NETWORKS, kind, index, field), what, "one for each interface")


def _check_first_network(networks: Iterable[GkeNetwork]) -> Iterator[Problem]:
    """Yield a problem for each network for RDMA that is the one of gVNIC, which comes first."""
    first, *others = [each.network for each in networks] or [""]
    for index, name in enumerate(others, start=1):
        if name == first:
            what = f'"{name}" is the network of gVNIC, which comes first'
            path = (*_NETWORKS, Interconnect.ROCE, index, "network")
            yield Problem(path, what, "a network with an RDMA profile")


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
            yield from _check_zone_count(draft, pool)
    yield from _check_same_zone(draft, [pool for pool in pools if _is_on_roce(pool)])


def _zones(draft: Draft, pool: DraftPool) -> tuple[str, ...]:
    """Return the zones that are known; the cluster's own is one where it is not a region."""
    location = draft.cluster.gke.location if draft.cluster.gke else draft.cluster.region
    of_cluster = () if location == draft.cluster.region else (location,)
    return pool.spec.zones or of_cluster


def _is_on_roce(pool: DraftPool) -> bool:
    if pool.hardware is None or pool.hardware.interconnect is not Interconnect.ROCE:
        return False
    return _talks_over_them(pool.hardware)


def _check_zone_count(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    count = f"{len(_zones(draft, pool)) or 'no'} zones"
    path = (*pool.path, "zones")
    if _is_on_roce(pool):
        what = f"{count}; the networks of {_ROCE_NETWORKS} take machines of one"
        yield Problem(path, what, f"one zone, {_OR_ETHERNET}")
    elif stands_in_a_rack(pool.hardware, draft.cluster.gke):
        yield Problem(path, f"{count}; the rack of gke.workloadPolicy stands in one", "one zone")


def _check_same_zone(draft: Draft, pools: list[DraftPool]) -> Iterator[Problem]:
    placed = [(pool, zones[0]) for pool in pools if len(zones := _zones(draft, pool)) == 1]
    for pool, zone in placed[1:]:
        first, expected = placed[0]
        if zone != expected:
            what = f"{zone}; {first.name} is in {expected}, and both talk over {_ROCE_NETWORKS}"
            yield Problem((*pool.path, "zones"), what, f"{expected}, {_OR_ETHERNET}")


def check_rack_size(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose workload policy has no place for all of its nodes.

    The policy binds a whole node pool to one NVLink domain (`1x72`: 18 nodes of 4 GPUs); of a
    ComputeClass GKE makes as many node pools as it needs.
    https://docs.cloud.google.com/compute/docs/instance-groups/about-workload-policies
    """
    if not is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
        return
    for pool in draft.pools:
        hardware, most = pool.hardware, pool.spec.nodes.max
        if hardware is None or not stands_in_a_rack(hardware, draft.cluster.gke):
            continue
        gpus = hardware.model.nvlink_domain or 0
        if most > (nodes := gpus // hardware.gpus):
            what = f"{most} nodes; the rack of gke.workloadPolicy has {gpus} GPUs"
            allowed = f"at most {nodes}, and a pool for each rack"
            yield Problem((*pool.path, "nodes", "max"), what, allowed)
