"""How GKE names, cuts, shares, places and starts the machines of a pool.

Its autoscaler brings no pool up to its minimum: a pool that starts empty stays so until a pod needs
a node (https://cloud.google.com/kubernetes-engine/docs/concepts/cluster-autoscaler, on minimum and
maximum node pool size).
"""

import json
from collections.abc import Mapping

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.pool import Pool
from charts_py.cluster_file.provider import GkeNetwork, GkeProvisioner, GkeSettings
from charts_py.platform.node_labels import instance_types
from charts_py.platform.platform import PlatformPool
from charts_py.platform.provider_facts import LabelNames, NodeHardware
from gpus.catalog import load_catalog
from gpus.instance_type import Interconnect
from gpus.provider import Provider

_DEFAULT_NETWORK = "default"
"""The Network of the cluster itself, which every cluster with several networks has."""
_DISK_GIB = 375
_DISK_GIB_OF_RACKS = 3000
"""Sizes of one disk of machines that no table lists, as the table has those of others."""
_ZONES_OF_A_REGION = 3
"""Zones of a regional cluster, unless who created it named others
(https://cloud.google.com/kubernetes-engine/docs/concepts/regional-clusters)."""


def accelerator_of(hardware: NodeHardware) -> str:
    """Return the accelerator type; GPUs that GKE does not have, refused in the file, have none."""
    machine = hardware.machine
    if machine is not None and machine.accelerator is not None:
        return machine.accelerator
    known = load_catalog().accelerators(Provider.GKE).get(hardware.model.name)
    return known.type if known is not None else ""


def label_values(cluster: Cluster, name: str, pool: Pool, hardware: NodeHardware) -> LabelNames:
    """Return what labels of nodes follow from; GKE names the node pools of a class itself."""
    gke, clients = cluster.gke, pool.sharing.time_slicing
    is_named = gke is not None and gke.provisioner is GkeProvisioner.CONFIG_CONNECTOR
    return {
        "accelerator": accelerator_of(hardware),
        "partition": next(iter(pool.sharing.mig), ""),
        "sharing": "time-sharing" if clients else "",
        "clients": str(clients or ""),
        "family": tuple(one.partition("-")[0] for one in instance_types(pool)),
        "node_pool": name if is_named else "a name of GKE's own",
    }


def partition_size(pool: PlatformPool) -> str | None:
    """Return the MIG profile that GKE partitions every GPU into; None without MIG.

    https://cloud.google.com/kubernetes-engine/docs/how-to/gpus-multi
    """
    return pool.facts.sharing.mig[0][0] if pool.facts.sharing.mig else None


def sharing_strategy(pool: PlatformPool) -> str | None:
    """Return how several pods share a GPU or a partition; None where they do not.

    https://cloud.google.com/kubernetes-engine/docs/how-to/timesharing-gpus
    """
    return "TIME_SHARING" if pool.facts.sharing.time_slicing > 1 else None


def local_disks(hardware: NodeHardware) -> int:
    """Return how many local disks a machine has; a node pool with another number is never made."""
    is_rack = hardware.model.nvlink_domain is not None
    listed = hardware.machine.local_disk_gib if hardware.machine else 0
    return hardware.local_nvme_gib // (listed or (_DISK_GIB_OF_RACKS if is_rack else _DISK_GIB))


def networks_needed(hardware: NodeHardware) -> int:
    """Return how many networks the interfaces of a machine stand in; RDMA comes with one of gVNIC.

    https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037: 4 in
    examples/gke-a3-highgpu, 8 in gke-a3-megagpu, 1 and 8 in gke-a3-ultragpu and gke-a4; 1 and 4 for
    A4X in https://docs.nvidia.com/aicr/integrator-guide/gke-a-4-x-max-networking.md
    """
    if hardware.interconnect is Interconnect.ETHERNET:
        return 0
    hosts = 1 if hardware.interconnect is Interconnect.ROCE else 0
    return hosts + max(hardware.interconnect_interfaces, 1)


def networks_of(pool: PlatformPool, gke: GkeSettings) -> tuple[GkeNetwork, ...]:
    """Return the networks of a pool; a check has found that the file has enough."""
    known = gke.networks.get(pool.hardware.interconnect, ())
    return known[: networks_needed(pool.hardware)]


def pod_interfaces(cluster: Cluster, hardware: NodeHardware) -> Mapping[str, str] | str:
    """Return the annotations by which a pod gets its interfaces, or why there are none.

    https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx, and
    https://cloud.google.com/kubernetes-engine/docs/how-to/allocate-network-resources-dra
    """
    gke = cluster.gke
    if gke is None or gke.provisioner is GkeProvisioner.COMPUTE_CLASS:
        return "its pods claim their interfaces from GKE's DRA driver"
    networks = gke.networks.get(hardware.interconnect, ())[: networks_needed(hardware)]
    names = [_DEFAULT_NETWORK, *(each.object for each in networks)]
    if None in names:
        return f"gke.networks.{hardware.interconnect} does not name the Network object of each"
    interfaces = [
        {"interfaceName": f"eth{index}", "network": name} for index, name in enumerate(names)
    ]
    return {
        "networking.gke.io/default-interface": "eth0",
        "networking.gke.io/interfaces": json.dumps(interfaces),
    }


def stands_in_a_rack(hardware: NodeHardware | None, gke: GkeSettings | None) -> bool:
    """Return whether the nodes of such hardware are kept in one NVLink domain."""
    is_rack = hardware is not None and hardware.model.nvlink_domain is not None
    return is_rack and gke is not None and gke.workload_policy is not None


def workload_policy_of(pool: PlatformPool, gke: GkeSettings) -> str | None:
    """Return the policy that keeps a pool in one NVLink domain; None for GPUs without one.

    https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037, examples/gke-a4x
    """
    return gke.workload_policy if stands_in_a_rack(pool.hardware, gke) else None


def zones_of(pool: Pool, cluster: Cluster) -> int:
    if pool.zones:
        return len(pool.zones)
    is_zonal = cluster.gke is not None and cluster.gke.location != cluster.region
    return 1 if is_zonal else _ZONES_OF_A_REGION


def initial_nodes_per_zone(pool: Pool, cluster: Cluster) -> int:
    """Return the nodes of each zone that make up, all together, those which are kept."""
    return -(-pool.nodes.kept // zones_of(pool, cluster))
