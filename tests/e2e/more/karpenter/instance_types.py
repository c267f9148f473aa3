"""What Karpenter's own cloud reads: the instance types of `gpus/tables/`, and its class of nodes.

https://github.com/kubernetes-sigs/karpenter (kwok/cloudprovider/helpers.go: `InstanceTypeOptions`)
"""

from collections.abc import Iterator, Sequence

from charts_py.cluster_file.pool import PODS_PER_NODE
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, PlatformPool
from gpus.catalog import load_catalog
from gpus.instance_type import InstanceType
from gpus.purchase import KARPENTER_CAPACITY_TYPE
from tests.e2e.scheduling.nodes import nodes_of

_API_VERSION = "karpenter.kwok.sh/v1alpha1"
_KIND = "KWOKNodeClass"
_PRICES = {"on-demand": 1.0, "reserved": 0.6, "spot": 0.4}
"""Of an hour of one GPU, by capacity type: what matters is which is cheaper."""
_EFA = "vpc.amazonaws.com/efa"
_GIB = 2**30


def instance_types(platform: Platform) -> list[Document]:
    """Return all that the provider of a platform offers, in the zones of its region."""
    zones = _zones(platform)
    pods = {pool.instance_type: _pods(platform, pool) for pool in platform.pools}
    return [
        _instance_type(each, zones, pods.get(each.name, str(PODS_PER_NODE)))
        for each in load_catalog().instance_types[platform.provider.name].values()
    ]


def _pods(platform: Platform, pool: PlatformPool) -> str:
    """Return how many pods the class of a pool's nodes lets a node hold."""
    (node,) = nodes_of(platform, pool.name, 1)
    return str(node["status"]["capacity"]["pods"])


def _zones(platform: Platform) -> list[str]:
    stated = {zone for pool in platform.pools for zone in pool.spec.zones}
    return sorted(stated | {f"{platform.cluster.region}{letter}" for letter in "abc"})


def _instance_type(each: InstanceType, zones: Sequence[str], pods: str) -> Document:
    model = load_catalog().model(each.gpu)
    resources = {
        "cpu": str(each.cpu),
        "memory": str(int(each.memory_gib * _GIB)),
        "pods": pods,
        load_catalog().resource_of(model): str(each.gpus),
    }
    if each.rdma_interfaces:
        resources[_EFA] = str(each.rdma_interfaces)
    return {
        "name": each.name,
        "architecture": model.host_architecture,
        "operatingSystems": ["linux"],
        "resources": resources,
        "offerings": list(_offerings(each, zones)),
    }


def _offerings(each: InstanceType, zones: Sequence[str]) -> Iterator[Document]:
    for zone in zones:
        for capacity_type, price in _PRICES.items():
            yield {
                "Price": price * each.gpus,
                "Available": True,
                "Requirements": [
                    _requirement(KARPENTER_CAPACITY_TYPE, capacity_type),
                    _requirement("topology.kubernetes.io/zone", zone),
                ],
            }


def _requirement(key: str, value: str) -> Document:
    return {"key": key, "operator": "In", "values": [value]}


def translated(document: Document) -> Document:
    """Return an object of a release: a class of nodes, or a reference to one, becomes another."""
    match document["kind"]:
        case "EC2NodeClass":
            metadata = {"name": document["metadata"]["name"]}
            return {"apiVersion": _API_VERSION, "kind": _KIND, "metadata": metadata, "spec": {}}
        case "NodePool":
            return _referring(document)
        case _:
            return document


def _referring(node_pool: Document) -> Document:
    spec = node_pool["spec"]
    template = spec["template"]
    reference = template["spec"]["nodeClassRef"]
    assert (reference["group"], reference["kind"]) == ("karpenter.k8s.aws", "EC2NodeClass")
    changed = {"group": _API_VERSION.partition("/")[0], "kind": _KIND, "name": reference["name"]}
    of_node = {**template["spec"], "nodeClassRef": changed}
    return {**node_pool, "spec": {**spec, "template": {**template, "spec": of_node}}}
