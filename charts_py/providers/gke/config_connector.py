"""Node pools on GKE that Config Connector makes."""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.pool import Pool, Purpose, TaintEffect
from charts_py.cluster_file.provider import GkeSettings
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.wave import CONFIRMED_REMOVAL
from charts_py.providers.gke.machine import (
    accelerator_of,
    initial_nodes_per_zone,
    local_disks,
    networks_of,
    partition_size,
    sharing_strategy,
    workload_policy_of,
)
from charts_py.providers.placeholder import least_nodes
from gpus.purchase import Purchase

_GROUP = "container.cnrm.cloud.google.com"
API_VERSION = f"{_GROUP}/v1beta1"
KIND = "ContainerNodePool"
IGNORE_DIFFERENCES: Mapping[str, Any] = {
    "group": _GROUP,
    "kind": KIND,
    "jsonPointers": ["/spec/initialNodeCount"],
}
"""What a pool started with counts when it is created, and never again: with another value Config
Connector would fail each update of the pool as one that has to recreate it
(https://github.com/GoogleCloudPlatform/k8s-config-connector, pkg/controller/tf at v1.155.1)."""
# https://cloud.google.com/kubernetes-engine/docs/reference/rest/v1/NodeConfig#Effect
_EFFECTS: Mapping[str, str] = {
    TaintEffect.NO_SCHEDULE: "NO_SCHEDULE",
    TaintEffect.PREFER_NO_SCHEDULE: "PREFER_NO_SCHEDULE",
    TaintEffect.NO_EXECUTE: "NO_EXECUTE",
}
# GPUs are scarce: an upgrade replaces nodes in place instead of asking for one more, or for as many
# again, as a blue-green one would. It waits an hour at most for the pods of a node; what runs for
# longer takes an exclusion, which Config Connector 1.155 has no field for in a node pool. The
# cluster can have one, and turns down a pool without upgrades where it is in a release channel.
# https://cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies and
# https://cloud.google.com/kubernetes-engine/docs/concepts/maintenance-windows-and-exclusions
_UPGRADE = {"strategy": "SURGE", "maxSurge": 0, "maxUnavailable": 1}


def container_node_pools(platform: Platform) -> Iterator[Document]:
    """Yield a ContainerNodePool for each pool; GKE puts its GPU taint on the nodes by itself.

    A node pool keeps its `nodeConfig` for life: other machines, labels or sharing need a pool of
    another name.
    https://cloud.google.com/config-connector/docs/reference/resource-docs/container/containernodepool
    """
    gke = platform.cluster.gke
    assert gke is not None  # noqa: S101 # checked when the file was read
    annotations = {"cnrm.cloud.google.com/project-id": gke.project, **CONFIRMED_REMOVAL}
    for pool in platform.pools:
        spec = _spec(pool, platform, gke) | _fabric(pool, platform.cluster, gke)
        if nodes := initial_nodes_per_zone(pool.spec, platform.cluster):
            spec["initialNodeCount"] = nodes
        metadata = ObjectMeta(pool.name, NODE_POOLS_NAMESPACE, annotations=annotations)
        yield object_of(API_VERSION, KIND, metadata, {"spec": spec})


def _spec(pool: PlatformPool, platform: Platform, gke: GkeSettings) -> dict[str, object]:
    cluster = f"projects/{gke.project}/locations/{gke.location}/clusters/{gke.cluster_name}"
    spec: dict[str, object] = {
        "clusterRef": {"external": cluster},
        "location": gke.location,
        "autoscaling": {
            "totalMinNodeCount": least_nodes(pool, platform),
            "totalMaxNodeCount": pool.spec.nodes.max,
            # Takes a node wherever there is one, and a reservation first.
            "locationPolicy": "ANY",
        },
        "maxPodsPerNode": pool.max_pods,
        "management": {
            "autoRepair": not pool.spec.nodes.queued,
            "autoUpgrade": not pool.spec.nodes.queued,
        },
        "upgradeSettings": _UPGRADE,
        "nodeConfig": _node_config(pool),
    }
    if pool.spec.zones:
        spec["nodeLocations"] = list(pool.spec.zones)
    if pool.spec.nodes.queued:
        spec["queuedProvisioning"] = {"enabled": True}
    elif _is_compact(pool.spec):
        spec["placementPolicy"] = {"type": "COMPACT"}
    return spec


def _fabric(pool: PlatformPool, cluster: Cluster, gke: GkeSettings) -> dict[str, object]:
    """Return what joins the GPUs of different nodes: networks in their order, and racks.

    https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx
    """
    region = f"projects/{gke.project}/regions/{cluster.region}"
    fabric: dict[str, object] = {}
    if networks := networks_of(pool, gke):
        fabric["networkConfig"] = {
            "additionalNodeNetworkConfigs": [
                {
                    "networkRef": {
                        "external": f"projects/{gke.project}/global/networks/{each.network}"
                    },
                    "subnetworkRef": {"external": f"{region}/subnetworks/{each.subnetwork}"},
                }
                for each in networks
            ]
        }
    if policy := workload_policy_of(pool, gke):
        reference = {"external": f"{region}/resourcePolicies/{policy}"}
        fabric["placementPolicy"] = {"type": "COMPACT", "policyNameRef": reference}
    return fabric


def _is_compact(pool: Pool) -> bool:
    """Return whether the nodes stand close together.

    That takes one zone; a reservation has a placement of its own, which the pool's would rule out.
    https://cloud.google.com/kubernetes-engine/docs/how-to/compact-placement
    """
    is_reserved = pool.purchase is Purchase.RESERVED
    return pool.purpose is Purpose.TRAINING and len(pool.zones) == 1 and not is_reserved


def _node_config(pool: PlatformPool) -> dict[str, object]:
    config: dict[str, object] = {
        "machineType": pool.instance_type,
        "guestAccelerator": [_accelerator(pool)],
        "gvnic": {"enabled": True},
        # Keeps pods away from the node's own credentials, at an address that teams may reach.
        # https://cloud.google.com/kubernetes-engine/docs/concepts/workload-identity
        "workloadMetadataConfig": {"mode": "GKE_METADATA"},
        "labels": dict(pool.facts.labels),
        **_purchase(pool.spec),
    }
    if taints := pool.own_taints:
        config["taint"] = [
            {"key": taint.key, "value": taint.value, "effect": _EFFECTS[taint.effect]}
            for taint in taints
        ]
    if disks := local_disks(pool.hardware):
        config["ephemeralStorageLocalSsdConfig"] = {"localSsdCount": disks}
    return config


def _accelerator(pool: PlatformPool) -> dict[str, object]:
    accelerator: dict[str, object] = {
        "type": accelerator_of(pool.hardware),
        "count": pool.hardware.gpus,
        "gpuDriverInstallationConfig": {"gpuDriverVersion": "DEFAULT"},
    }
    if size := partition_size(pool):
        accelerator["gpuPartitionSize"] = size
    if strategy := sharing_strategy(pool):
        accelerator["gpuSharingConfig"] = {
            "gpuSharingStrategy": strategy,
            "maxSharedClientsPerGpu": pool.facts.sharing.replicas,
        }
    return accelerator


def _purchase(pool: Pool) -> dict[str, object]:
    """Return how the nodes are bought.

    https://cloud.google.com/kubernetes-engine/docs/how-to/consuming-reservations
    """
    if pool.purchase is Purchase.SPOT:
        return {"spot": True}
    affinity: dict[str, object] = {"consumeReservationType": "NO_RESERVATION"}
    if pool.purchase is Purchase.RESERVED:
        affinity = {"consumeReservationType": "ANY_RESERVATION"}
    if pool.reservation is not None:
        affinity = {
            "consumeReservationType": "SPECIFIC_RESERVATION",
            "key": "compute.googleapis.com/reservation-name",
            "values": [pool.reservation],
        }
    return {"reservationAffinity": affinity}
