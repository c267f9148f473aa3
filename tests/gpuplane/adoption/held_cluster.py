"""What a cluster holds once an example is synced: its rendered objects, and nodes of its pools."""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.versions.rendering import RenderedCluster
from gpus.provider import Provider

PROVIDER_IDS = {
    Provider.EKS: "aws:///us-east-1a/i-{}",
    Provider.GKE: "gce://example-inference/europe-west4-a/{}",
    Provider.AKS: "azure:///subscriptions/00000000-0000-0000-0000-000000000000/{}",
    Provider.ONPREM: "",
}


def held_cluster(platform: Platform, rendered: RenderedCluster) -> Inventory:
    """Return the rendered objects, all nodes of each pool and the daemons of the network."""
    documents = [
        *(one for text in rendered.files.values() for one in from_yaml(text.decode())),
        *(node for pool in platform.pools for node in _nodes(platform, pool)),
        *_network(platform),
    ]
    found = tuple(FoundObject(document, "the cluster") for document in documents)
    return Inventory(found, platform.name)


def _nodes(platform: Platform, pool: PlatformPool) -> Iterator[Document]:
    for number in range(pool.spec.nodes.max):
        name = f"{pool.name}-{number}"
        yield {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": _labels(platform, pool)},
            "spec": {
                "providerID": PROVIDER_IDS[platform.cluster.provider].format(name),
                "taints": [
                    {"key": taint.key, "value": taint.value, "effect": taint.effect}
                    for taint in pool.facts.taints
                ],
            },
            "status": {
                "capacity": _capacity(pool),
                "nodeInfo": {"kubeletVersion": f"v{platform.cluster.kubernetes}.3"},
            },
        }


def _labels(platform: Platform, pool: PlatformPool) -> Mapping[str, str]:
    instance_type = pool.spec.instance_type
    machine = {"node.kubernetes.io/instance-type": instance_type} if instance_type else {}
    region = {"topology.kubernetes.io/region": platform.cluster.region}
    return {**pool.facts.labels, **machine, **region, **_model(pool)}


def _model(pool: PlatformPool) -> Mapping[str, str]:
    model = pool.hardware.model
    return {"amd.com/gpu.product-name": model.product} if model.vendor == "amd" else {}


def _capacity(pool: PlatformPool) -> Mapping[str, str]:
    offered = {one.name: str(one.per_node) for one in pool.facts.resources}
    memory = f"{pool.hardware.memory // 2**10}Ki"
    return {"cpu": str(pool.hardware.cpu), "memory": memory, "pods": str(pool.max_pods), **offered}


def _network(platform: Platform) -> Iterator[Document]:
    engine = platform.cluster.network.policy_engine
    for sign in platform.provider.network_policy_engines.get(engine, ())[:1] if engine else ():
        document: dict[str, Any] = {
            "apiVersion": sign.api_version,
            "kind": sign.kind,
            "metadata": {"name": sign.name, "namespace": sign.namespace},
            "data": {"enable-network-policy-controller": "true"},
            "status": {"numberReady": 1},
        }
        yield document
    if platform.cluster.eks is not None and platform.cluster.eks.prefix_delegation:
        prefixes = {"name": "ENABLE_PREFIX_DELEGATION", "value": "true"}
        container = {"name": "aws-node", "env": [prefixes]}
        yield {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": "aws-node", "namespace": "kube-system"},
            "spec": {"template": {"spec": {"containers": [container]}}},
        }
