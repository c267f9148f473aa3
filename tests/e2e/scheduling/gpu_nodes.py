"""Nodes as the machines of a pool register themselves."""

from itertools import cycle, islice

from charts_py.objects.document import Document
from charts_py.objects.pods import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from gpus.instance_type import Interconnect
from tests.e2e.control_plane.api_client import ApiClient

_NOT_READY = "node.kubernetes.io/not-ready"
_EFA_RESOURCE = "vpc.amazonaws.com/efa"


def nodes_of(platform: Platform, pool_name: str, count: int) -> list[Document]:
    """Return so many ready nodes of a pool, as `<cluster>-<pool>-0`; raise KeyError for none.

    Labels, taints and GPU resources are the pool's facts, and all of CPU and memory is allocatable:
    what the kubelet reserves is not the platform's to say.
    """
    pool = platform.pool(pool_name)
    zones = islice(cycle(pool.spec.zones or (None,)), count)
    return [
        _node(platform, pool, f"{platform.name}-{pool.name}-{number}", zone)
        for number, zone in enumerate(zones)
    ]


def join(client: ApiClient, *nodes: Document) -> None:
    """Register nodes, and wait until the scheduler may place pods there; raise TimeoutError."""
    for node in nodes:
        client.create(node)
    for node in nodes:
        client.wait_for(node, _is_schedulable)


def leave(client: ApiClient, *nodes: Document) -> None:
    """Remove nodes; their pods are deleted by Kubernetes."""
    for node in nodes:
        client.delete(node)
    for node in nodes:
        client.wait_until_gone(node)


def _node(platform: Platform, pool: PlatformPool, name: str, zone: str | None) -> Document:
    capacity = _capacity(platform, pool)
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {**pool.facts.labels, **_kubelet_labels(platform, pool, name, zone)},
        },
        "spec": {"taints": taint_objects(pool.facts.taints)},
        # A kubelet, too, creates its node with the status.
        "status": {"capacity": capacity, "allocatable": capacity, "conditions": [ready]},
    }


def _kubelet_labels(
    platform: Platform, pool: PlatformPool, name: str, zone: str | None
) -> dict[str, str]:
    """Return the labels that every node has.

    https://kubernetes.io/docs/reference/labels-annotations-taints/
    """
    labels = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": pool.hardware.model.host_architecture,
        "topology.kubernetes.io/region": platform.cluster.region,
    }
    if pool.spec.instance_type is not None:
        labels["node.kubernetes.io/instance-type"] = pool.spec.instance_type
    if zone is not None:
        labels["topology.kubernetes.io/zone"] = zone
    return labels


def _capacity(platform: Platform, pool: PlatformPool) -> dict[str, str]:
    capacity = {resource.name: str(resource.per_node) for resource in pool.facts.advertised}
    if platform.cluster.addons.efa_device_plugin and _has_efa(pool):
        capacity[_EFA_RESOURCE] = str(pool.hardware.interconnect_interfaces)
    return {
        **capacity,
        "cpu": str(pool.hardware.cpu),
        "memory": str(pool.hardware.memory),
        "pods": str(pool.max_pods),
    }


def _has_efa(pool: PlatformPool) -> bool:
    return pool.hardware.interconnect is Interconnect.EFA


def _is_schedulable(node: Document) -> bool:
    return _NOT_READY not in {taint["key"] for taint in node["spec"].get("taints", [])}
