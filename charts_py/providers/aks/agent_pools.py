"""Agent pools on AKS that Azure Service Operator makes."""

from collections.abc import Iterator

from charts_py.cluster_file.provider import AksUpgrade
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.wave import CONFIRMED_REMOVAL
from charts_py.providers.cluster_autoscaler import corrected_resources, stays_until_empty
from charts_py.providers.numa import numa_settings
from charts_py.providers.placeholder import least_nodes
from gpus.purchase import Purchase

API_VERSION = "containerservice.azure.com/v1api20240901"
"""The newest version without preview that the schemas cover."""
NO_GPU_PROFILE = f"gpuProfile, a field that {API_VERSION} lacks"
"""The field has AKS leave out its driver (https://learn.microsoft.com/azure/aks/use-nvidia-gpu).
The tag that did so before, `SkipGPUDriverInstall`, is refused since 2025-08-14
(https://github.com/Azure/AKS/issues/4925)."""
_TEMPLATE = "k8s.io_cluster-autoscaler_node-template"
"""Prefix of the tags that correct what the cluster autoscaler supposes of a node. AKS puts the tags
of an agent pool on its scale set; a tag may hold no slash, so an underscore stands for it.
https://github.com/kubernetes/autoscaler/blob/cluster-autoscaler-1.36.1/cluster-autoscaler/cloudprovider/azure/README.md
and https://learn.microsoft.com/azure/aks/use-tags
"""


def agent_pools(platform: Platform) -> Iterator[Document]:
    """Yield a ManagedClustersAgentPool for each pool.

    https://azure.github.io/azure-service-operator/reference/containerservice/
    """
    for pool in platform.pools:
        metadata = ObjectMeta(pool.name, NODE_POOLS_NAMESPACE, annotations=CONFIRMED_REMOVAL)
        body = {"spec": _spec(pool, platform)}
        yield object_of(API_VERSION, "ManagedClustersAgentPool", metadata, body)


def _spec(pool: PlatformPool, platform: Platform) -> dict[str, object]:
    aks = platform.cluster.aks
    assert aks is not None  # noqa: S101 # checked when the file was read
    group = f"/subscriptions/{aks.subscription}/resourceGroups/{aks.resource_group}"
    cluster = f"{group}/providers/Microsoft.ContainerService/managedClusters"
    spec: dict[str, object] = {
        "azureName": pool.name,
        "owner": {"armId": f"{cluster}/{aks.cluster_name}"},
        "mode": "User",
        "type": "VirtualMachineScaleSets",
        "osType": "Linux",
        "vmSize": pool.instance_type,
        "maxPods": pool.max_pods,
        **_size(pool, platform),
        **_upgrade(pool, aks.upgrade),
        "nodeLabels": dict(pool.facts.labels),
        "nodeTaints": [str(taint) for taint in pool.own_taints],
        **_purchase(pool, group),
        **_gpu_instances(pool),
        "tags": _tags(pool),
    }
    # https://learn.microsoft.com/azure/aks/custom-node-configuration
    if settings := numa_settings(pool.spec.numa):
        spec["kubeletConfig"] = settings
    if pool.spec.zones:
        spec["availabilityZones"] = list(pool.spec.zones)
    return spec


def _tags(pool: PlatformPool) -> dict[str, str]:
    """Return what a node offers beside its CPUs and memory, and when it goes.

    110 pods are supposed of any. Nodes here are judged by their GPUs alone, which daemons take none
    of; a threshold for CPUs would keep those whose GPUs never appear.
    """
    offered = corrected_resources(pool) | {"pods": str(pool.max_pods)}
    tags = {f"{_TEMPLATE}_resources_{name.replace('/', '_')}": v for name, v in offered.items()}
    if stays_until_empty(pool):
        tags[f"{_TEMPLATE}_autoscaling-options_scaledowngpuutilizationthreshold"] = "0"
    return tags


def _size(pool: PlatformPool, platform: Platform) -> dict[str, object]:
    """Return the limits of the autoscaler, and no `count`, which would undo what it did.

    Azure Service Operator sends the whole object to Azure again every hour:
    https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-frequency
    Cluster API leaves it out for that reason once a pool exists (cluster-api-provider-azure,
    pkg/mutators/azureasomanagedmachinepool.go), Microsoft's own module from the start
    (terraform-azurerm-avm-res-containerservice-managedcluster, modules/agentpool/locals.tf): AKS
    then chooses how many nodes a new pool has.
    """
    least, most = least_nodes(pool, platform), pool.spec.nodes.max
    return {"enableAutoScaling": True, "minCount": least, "maxCount": most}


def _upgrade(pool: PlatformPool, settings: AksUpgrade) -> dict[str, object]:
    """Return how nodes are replaced; nothing for spot nodes, which AKS neither adds nor drains.

    It refuses a spot pool that says so (https://learn.microsoft.com/azure/aks/spot-node-pool,
    https://github.com/hashicorp/terraform-provider-azurerm/issues/19355). This version of the API
    has no upgrade without additional nodes, `maxUnavailable`.
    https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling
    """
    if pool.spec.purchase is Purchase.SPOT:
        return {}
    upgrade = {
        "maxSurge": settings.max_surge,
        "drainTimeoutInMinutes": settings.drain_timeout_minutes,
    }
    return {"upgradeSettings": upgrade}


def _purchase(pool: PlatformPool, resource_group: str) -> dict[str, object]:
    """Return how the nodes are bought; a spot price of -1 pays up to the price on demand.

    https://learn.microsoft.com/azure/aks/spot-node-pool and
    https://learn.microsoft.com/azure/aks/use-capacity-reservation-groups
    """
    if pool.spec.purchase is Purchase.SPOT:
        return {"scaleSetPriority": "Spot", "scaleSetEvictionPolicy": "Delete", "spotMaxPrice": -1}
    if pool.spec.reservation is None:
        return {}
    groups = f"{resource_group}/providers/Microsoft.Compute/capacityReservationGroups"
    return {"capacityReservationGroupReference": {"armId": f"{groups}/{pool.spec.reservation}"}}


def _gpu_instances(pool: PlatformPool) -> dict[str, object]:
    """Return the profile that AKS partitions every GPU into, named by its compute slices.

    https://learn.microsoft.com/azure/aks/gpu-multi-instance
    """
    sharing, geometry = pool.facts.sharing, pool.hardware.model.mig
    if not sharing.mig or geometry is None:
        return {}
    slices = geometry.profile(sharing.mig[0][0]).compute_slices
    return {"gpuInstanceProfile": f"MIG{slices}g"}
