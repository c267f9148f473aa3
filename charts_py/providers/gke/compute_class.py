"""Node pools on GKE that GKE makes itself, from a class of machines a pool."""

from collections.abc import Iterator

from charts_py.cluster_file.provider import GkeSettings
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.wave import CONFIRMED_REMOVAL
from charts_py.providers.cluster_autoscaler import stays_until_empty
from charts_py.providers.gke.machine import (
    accelerator_of,
    networks_needed,
    partition_size,
    sharing_strategy,
    workload_policy_of,
)
from gpus.purchase import Purchase


def compute_classes(platform: Platform) -> Iterator[Document]:
    """Yield a ComputeClass for each pool.

    GKE makes nodes for pods that choose the class by the node label
    `cloud.google.com/compute-class`, and takes them away again: a class has neither a minimum nor
    a maximum size. The taint of that key on its nodes, and the toleration of such pods, are GKE's.
    https://cloud.google.com/kubernetes-engine/docs/concepts/about-custom-compute-classes
    """
    gke = platform.cluster.gke
    assert gke is not None  # noqa: S101 # checked when the file was read
    for pool in platform.pools:
        metadata = ObjectMeta(pool.name, annotations=CONFIRMED_REMOVAL)
        body = {"spec": _spec(pool, gke)}
        yield object_of("cloud.google.com/v1", "ComputeClass", metadata, body)


def _spec(pool: PlatformPool, gke: GkeSettings) -> dict[str, object]:
    node_pool: dict[str, object] = {"nodeLabels": dict(pool.facts.labels)}
    if taints := pool.own_taints:
        node_pool["taints"] = taint_objects(taints)
    if networks_needed(pool.hardware):
        node_pool["dra"] = {"networking": {"enabled": True}}
    spec: dict[str, object] = {
        "nodePoolAutoCreation": {"enabled": True},
        "nodePoolConfig": node_pool,
        "priorities": list(_priorities(pool, gke)),
        # Another machine would not be what pool and quota promise.
        "whenUnsatisfiable": "DoNotScaleUp",
    }
    # The other threshold is for nodes without GPUs:
    # https://cloud.google.com/kubernetes-engine/docs/reference/crds/computeclass
    if stays_until_empty(pool):
        spec["autoscalingPolicy"] = {"gpuConsolidationThreshold": 0}
    return spec


def _priorities(pool: PlatformPool, gke: GkeSettings) -> Iterator[dict[str, object]]:
    """Yield each machine as it is bought first, then each as it is bought on demand."""
    purchases = [pool.spec.purchase]
    purchases += [Purchase.ON_DEMAND] if pool.spec.on_demand_fallback else []
    for purchase in purchases:
        for machine in pool.instance_types:
            yield _priority(pool, gke, machine, purchase)


def _priority(
    pool: PlatformPool, gke: GkeSettings, machine: str, purchase: Purchase
) -> dict[str, object]:
    priority: dict[str, object] = {
        "machineType": machine,
        "gpu": _gpu(pool),
        "maxPodsPerNode": pool.max_pods,
    }
    if purchase is Purchase.FLEX_START:
        priority["flexStart"] = {"enabled": True}
    else:
        priority["spot"] = purchase is Purchase.SPOT
    # GKE makes the networks, and gives their interfaces to resource claims:
    # https://cloud.google.com/kubernetes-engine/docs/how-to/allocate-network-resources-dra
    if networks_needed(pool.hardware):
        priority["acceleratorNetworkProfile"] = "auto"
    if policy := workload_policy_of(pool, gke):
        priority["placement"] = {"policyName": policy}
    if pool.spec.zones:
        priority["location"] = {"zones": list(pool.spec.zones)}
    if purchase is Purchase.RESERVED:
        name = pool.spec.reservation
        specific = {"affinity": "Specific", "specific": [{"name": name, "project": gke.project}]}
        priority["reservations"] = specific if name else {"affinity": "AnyBestEffort"}
    return priority


def _gpu(pool: PlatformPool) -> dict[str, object]:
    gpu: dict[str, object] = {
        "type": accelerator_of(pool.hardware),
        "count": pool.hardware.gpus,
        "driverVersion": "default",
    }
    sharing: dict[str, object] = {}
    if size := partition_size(pool):
        sharing["gpuPartitionSize"] = size
    if strategy := sharing_strategy(pool):
        sharing["sharingStrategy"] = strategy
        sharing["maxSharedClientsPerGPU"] = pool.facts.sharing.replicas
    if sharing:
        gpu["gpuSharing"] = sharing
    return gpu
