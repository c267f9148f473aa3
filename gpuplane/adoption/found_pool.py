"""A group of nodes with GPUs, and the fields of its pool in the cluster file."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.pool import PODS_PER_NODE, Purpose
from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented, note, stated
from gpuplane.adoption.karpenter_machines import size_of
from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.node_marks import mark_fields
from gpuplane.adoption.nodes import ZONE, gpus_per_node, known_model, stated_product, whole_product
from gpuplane.adoption.offered_devices import NAMES, NETWORK, RDMA, unlike_nodes
from gpuplane.adoption.sharing import FoundSharing, SharingConfig, found_sharing
from gpuplane.adoption.values import listed, whole_number
from gpus.allocator import DRA_DRIVER_LABEL
from gpus.catalog import Catalog
from gpus.instance_type import InstanceType, Interconnect
from gpus.model import NVIDIA, GpuModel
from gpus.platform_names import INTERCONNECT, PURCHASE
from gpus.provider import Provider
from gpus.purchase import Purchase
from policies.quantity import read_quantity
from policies.settings import EFA_RESOURCE

_NODE_NAME = re.compile("[a-z0-9.-]+")
"""What names of nodes are made of; of these characters a dot alone means more in an expression."""
_BEFORE_ON_DEMAND = (Purchase.RESERVED, Purchase.SPOT)
_INFINIBAND = re.compile(r"/ib|infiniband")
_MOST_SINGLE = 32
"""More are shares of an interface, of which a plugin offers tens or hundreds."""
_GIB = 2**30


@dataclass(frozen=True, slots=True)
class FoundPool:
    """A group of nodes with GPUs."""

    group: NodeGroup
    model: GpuModel | None
    """None where no table has it."""
    machine: InstanceType | None
    """The one instance type of its nodes; None without one, or where no table has it."""
    sharing: FoundSharing
    gpus: int | None
    resource: str
    """The extended resource of a whole GPU, which is the key of its taint, too."""
    larger: tuple[InstanceType, ...] = ()

    @property
    def limited(self) -> tuple[str, int] | None:
        """The resource that bounds the nodes, and how many it is enough for; None where none does.

        A limit that its makers state in CPUs or GPUs means nodes only where each node has as many.
        """
        per_node = {self.resource: self.gpus, "cpu": self.machine.cpu if self.machine else None}
        for resource, each in per_node.items():
            limit = whole_number(self.group.limits.get(resource))
            if each and limit is not None and limit >= each:
                return resource, limit // each
        return None


def found_pool(
    group: NodeGroup, provider: Provider, catalog: Catalog, config: SharingConfig
) -> FoundPool:
    model = known_model(group.labels, group.instance_types, catalog)
    sharing = found_sharing(group, model, config)
    resource = catalog.resource_of(model) if model else _shown_resource(group, catalog)
    machines = _machines(group, catalog.instance_types.get(provider, {}))
    machine = machines[0] if machines else None
    gpus = machine.gpus if machine else None
    if machine is None:
        gpus = gpus_per_node(resource, group.labels, group.capacity, sharing.mig, sharing.replicas)
    return FoundPool(group, model, machine, sharing, gpus, resource, machines[1:])


def _shown_resource(group: NodeGroup, catalog: Catalog) -> str:
    """Return the resource of whole GPUs that the nodes offer, whichever model they are of."""
    offered = (name for name in group.capacity if name in catalog.resources)
    return next(offered, catalog.vendors[NVIDIA].resource)


def _machines(group: NodeGroup, offered: Mapping[str, InstanceType]) -> tuple[InstanceType, ...]:
    """Return the instance types of a pool, the smallest first; one where they cannot be mixed."""
    known = sorted((offered[one] for one in group.instance_types if one in offered), key=size_of)
    gpus = {(one.gpu, one.gpus) for one in known}
    if len(known) == len(group.instance_types) and len(gpus) == 1 and _is_of_karpenter(group):
        return tuple(known)
    single = offered.get(group.instance_type or "")
    return () if single is None else (single,)


def _is_of_karpenter(group: NodeGroup) -> bool:
    return any(one.startswith("NodePool ") for one in group.origins)


def pool_fields(pool: FoundPool, provider: Provider, *, names_machines: bool) -> Commented:
    """Return a pool; `names_machines` where others of on-prem have the same GPU."""
    fields: dict[str, Commented] = {}
    makes_nodes = PROVIDERS[provider].makes_nodes
    if makes_nodes:
        fields["instanceType"] = _instance_type(pool)
        if pool.larger:
            names = [one.name for one in pool.larger]
            fields["instanceTypes"] = Commented(names, pool.group.origin)
    if pool.machine is None and (pool.group.instance_type or not makes_nodes):
        fields |= _stated_hardware(pool)
    fields["purpose"] = stated(pool.group.labels, "purpose", [one.value for one in Purpose])
    fields["nodes"] = _nodes(pool, provider)
    fields |= _purchase(pool)
    if makes_nodes:
        zones = _zones(pool.group, provider)
        fields |= {"zones": Commented(list(zones), pool.group.origin)} if zones else {}
        fields |= _asked(pool, provider, zones)
    fields |= _sharing(pool)
    fields |= _interconnect(pool)
    fields |= _rdma(pool, provider)
    fields |= mark_fields(pool.group, pool.resource, pool.model, provider)
    max_pods = pool.group.max_pods
    if max_pods is None and PROVIDERS[provider].addressed_pods is None:
        # On EKS they follow the addresses of the instance type.
        max_pods = whole_number(pool.group.capacity.get("pods"))
    if max_pods not in (None, PODS_PER_NODE):
        fields["maxPods"] = Commented(max_pods, pool.group.origin)
    if pool.group.numa is not None:
        fields["numa"] = Commented(pool.group.numa.value, pool.group.origin)
    if hostnames := _hostnames(pool, names_machines=names_machines):
        fields["match"] = Commented({"hostnames": hostnames}, pool.group.origin)
    return Commented(fields, pool.group.origin, tuple(_lost(pool)))


def _instance_type(pool: FoundPool) -> Commented:
    group = pool.group
    if pool.larger and pool.machine:
        return Commented(pool.machine.name, group.origin)
    if group.instance_type is None:
        shown = ", ".join(group.instance_types) or "none"
        return note(f"instanceType: {group.origin} allows {shown}; a pool has one, choose it")
    others = [one for one in group.instance_types if one != group.instance_type]
    what = f"not carried over: {', '.join(others)}, which would be allowed too; a pool has one type"
    return Commented(group.instance_type, group.origin, (what,) if others else ())


def _stated_hardware(pool: FoundPool) -> dict[str, Commented]:
    capacity, origin = pool.group.capacity, pool.group.origin
    product = whole_product(stated_product(pool.group.labels) or "")
    known = f"name {product}, which `gpuplane hardware` does not list; describe it"
    unknown = "name no product; set one that `gpuplane hardware` lists, or describe it"
    what = f"gpu: the nodes {known if product else unknown}"
    unlisted = note(f"{what} under hardware.models, docs/hardware.md")
    cpu, memory = whole_number(capacity.get("cpu")), _memory(capacity.get("memory", ""))
    fields = {"gpu": Commented(pool.model.name, origin) if pool.model else unlisted}
    for name, shown in (("gpus", pool.gpus), ("cpu", cpu), ("memory", memory)):
        fields[name] = Commented(shown, origin) if shown else note(f"{name}: no node shows it")
    return fields


def _memory(capacity: str) -> str | None:
    """Return whole GiB, rounded down: a node says in KiB what its kernel leaves."""
    amount = read_quantity(capacity)
    return None if amount is None else f"{amount // _GIB}Gi"


def _nodes(pool: FoundPool, provider: Provider) -> Commented:
    group, seen = pool.group, len(pool.group.nodes)
    bounds: dict[str, Any] = {"min": group.min, "max": group.max, "warm": group.warm}
    queued = PROVIDERS[provider].taints.queued
    if queued is not None and str(queued) in group.taints:
        bounds["queued"] = True
    what = ""
    if group.max is None and (limited := pool.limited):
        resource, bounds["max"] = limited
        what = f"max is the nodes that {group.limits[resource]} of {resource} are enough for"
    elif group.max is None:
        if not seen:
            return note("nodes: no object bounds their number; set max")
        bounds |= {"max": seen} if PROVIDERS[provider].makes_nodes else {"min": seen, "max": seen}
        what = f"max is the number of nodes now, {seen}: no object that was read bounds it"
    stated_bounds = {key: one for key, one in bounds.items() if one}
    return Commented(stated_bounds, group.origin, (what,) if what else ())


def _purchase(pool: FoundPool) -> dict[str, Commented]:
    group = pool.group
    stated_here = [one for one in Purchase if group.labels.get(PURCHASE) == one.value]
    found = stated_here or list(group.purchases)
    fields = {}
    if _is_of_karpenter(group) and not group.reservations and len(found) > 1:
        found = [one for one in found if not one.takes_reservation]
    main = next((one for one in _BEFORE_ON_DEMAND if one in found), None)
    if _is_of_karpenter(group) and main and {*found} == {main, Purchase.ON_DEMAND}:
        fields["purchase"] = Commented(main.value, group.origin)
        fields["onDemandFallback"] = Commented(value=True, origin=group.origin)
    elif len(found) > 1:
        shown = ", ".join(one.value for one in found)
        what = f"purchase: {group.origin} allows {shown}; a pool has one, make a pool of each"
        fields["purchase"] = note(f"{what}. Absent, it is {Purchase.ON_DEMAND.value}")
    elif found:
        fields["purchase"] = Commented(found[0].value, group.origin)
    if group.reservations:
        bought = fields["purchase"].value if "purchase" in fields else None
        fields["reservation"] = _reservation(group, bought)
    return fields


def _reservation(group: NodeGroup, bought: str | None) -> Commented:
    """Return the reservation that the nodes come from; a class of nodes may have other pools'."""
    named = f"reservation: {group.origin} names {', '.join(group.reservations)}"
    if bought is None or not Purchase(bought).takes_reservation:
        return note(f"{named}; left out, since {bought or Purchase.ON_DEMAND.value} takes none")
    if len(group.reservations) > 1:
        return note(f"{named}; a pool has one, make a pool of each")
    return Commented(group.reservations[0], group.origin)


def _zones(group: NodeGroup, provider: Provider) -> tuple[str, ...]:
    """Return the zones that are stated, or else the one that all nodes are in."""
    if group.zones or group.origins:
        return group.zones
    zones = {_zone(node.labels.get(ZONE, ""), provider) for node in group.nodes}
    return tuple(zones - {""}) if len(zones) == 1 else ()


def _zone(label: str, provider: Provider) -> str:
    """Return a zone as a pool names it; empty where AKS names the fault domain alone, as `0`."""
    if provider is not Provider.AKS:
        return label
    return label.rpartition("-")[2] if "-" in label else ""


def _asked(pool: FoundPool, provider: Provider, zones: tuple[str, ...]) -> dict[str, Commented]:
    """Return what the network of the machine asks for, where no object that is read states it."""
    network, group = pool.machine.rdma if pool.machine else None, pool.group
    if network is None or group.labels.get(INTERCONNECT) == Interconnect.ETHERNET:
        return {}
    if provider is Provider.GKE:
        what = "nothing states the networks that a node pool takes from there; set them"
        return {"networks": note(f"gke.networks.{network.value}: {what}")}
    if provider is Provider.EKS and not _is_of_karpenter(group) and len(zones) != 1:
        seen = listed(node.labels[ZONE] for node in group.nodes if ZONE in node.labels)
        what = f"the nodes are in {seen or 'none that is known'}"
        return {"zones": note(f"zones: {what}; eksctl makes a node group with EFA in one, set it")}
    return {}


def _sharing(pool: FoundPool) -> dict[str, Commented]:
    sharing, origin = pool.sharing, ", ".join(pool.sharing.origins)
    content: dict[str, Any] = {"mig": dict(sharing.mig)} if sharing.mig else {}
    if sharing.way is not None:
        content[sharing.way] = sharing.replicas
    if not content and not sharing.notes:
        return {}
    return {"sharing": Commented(content or None, origin, sharing.notes)}


def _interconnect(pool: FoundPool) -> dict[str, Commented]:
    """Return the network between the nodes, where it is not that of their machine."""
    usual = (pool.machine.rdma if pool.machine else None) or Interconnect.ETHERNET
    found = pool.group.labels.get(INTERCONNECT)
    networks = {(one.rdma, one.rdma_interfaces) for one in (*pool.larger, pool.machine) if one}
    if found is None and usual is not Interconnect.ETHERNET and len(networks) > 1:
        what = f"its machines have different numbers of interfaces for {usual.value}"
        return {"interconnect": Commented(Interconnect.ETHERNET.value, notes=(what,))}
    if found == usual.value:
        return {}
    if found is None:
        is_known = usual is Interconnect.ETHERNET or EFA_RESOURCE in pool.group.capacity
        what = f"nothing tells it; absent, it is {usual.value}, otherwise set ethernet"
        return {} if is_known else {"interconnect": note(f"interconnect: {what}")}
    return {"interconnect": Commented(found, f"label {INTERCONNECT}")}


def _rdma(pool: FoundPool, provider: Provider) -> dict[str, Commented]:
    """Return what offers the RDMA network to pods; its kind where the name of the resource says it.

    Machines of OCI have 16 interfaces, each an amount of its own, of which a job takes all.
    """
    offered = {name: one for name, one in pool.group.capacity.items() if RDMA.search(name)}
    if len(offered) != 1 or not PROVIDERS[provider].takes_rdma_plugin:
        found = ", ".join(f"{name} {count}" for name, count in sorted(offered.items()))
        what = f"rdmaResource: the nodes offer {found}; a pool names one"
        return {"rdmaResource": note(what)} if found else {}
    (resource, count), origin = *offered.items(), pool.group.origin
    fields = {"rdmaResource": Commented(resource, origin)}
    if pool.machine is None and INTERCONNECT not in pool.group.labels:
        network = Interconnect.INFINIBAND if _INFINIBAND.search(resource) else Interconnect.ROCE
        what = f"{resource} is offered; choose infiniband or roce"
        fields["interconnect"] = Commented(network.value, notes=(what,))
    if (each := whole_number(count)) and each <= _MOST_SINGLE:
        what = "all that a node has, each an interface; leave it out where pods share them"
        fields |= {"rdmaCount": Commented(each, origin, (what,))} if each > 1 else {}
    return fields


def _hostnames(pool: FoundPool, *, names_machines: bool) -> list[str]:
    """Return expressions for the machines; their names where pools could not be told apart."""
    if pool.group.hostnames:
        return list(pool.group.hostnames)
    named = (node.name for node in pool.group.nodes if _NODE_NAME.fullmatch(node.name))
    names = [name.replace(".", r"\.") for name in named]
    return [f"^{name}$" for name in names] if names_machines else []


def _lost(pool: FoundPool) -> Iterator[str]:
    yield from pool.group.notes
    if not pool.larger:
        yield from unlike_nodes(pool.group)
    if pool.group.labels.get(DRA_DRIVER_LABEL) == "true":
        yield f"not carried over: label {DRA_DRIVER_LABEL}; set allocator where DRA gives out GPUs"
    others = [
        f"{name} {count}"
        for name, count in sorted(pool.group.capacity.items())
        if "/" in name and not (NAMES.is_gpu(name) or NETWORK.search(name))
    ]
    if others:
        what = "if one is of RDMA, set rdmaResource to it"
        yield f"not carried over: {', '.join(others)} of a node; {what}"
