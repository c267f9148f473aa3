"""Nodes as machines register themselves, of a pool or of none, while a test needs them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from charts_py.objects.document import Document
from charts_py.objects.pods import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.policy_settings import policy_settings
from gpus.instance_type import Interconnect
from gpus.label_values import NUMBERS
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.manifest import manifest
from tests.e2e.scheduling.gpu_pods import required
from tests.e2e.scheduling.placements import PATIENCE_SECONDS, has_node

_NOT_READY = "node.kubernetes.io/not-ready"
_EFA_RESOURCE = "vpc.amazonaws.com/efa"


def nodes_of(platform: Platform, pool_name: str, count: int) -> list[Document]:
    """Return so many ready nodes of a pool, as `<cluster>-<pool>-0`; raise KeyError for none.

    Labels, taints and GPU resources are the pool's facts, and all of CPU and memory is allocatable:
    what the kubelet reserves is not the platform's to say.
    """
    pool = platform.pool(pool_name)
    return [_node_of(platform, pool, number) for number in range(count)]


def cpu_node(name: str) -> Document:
    """Return a ready node of no pool, without GPUs."""
    room = {"cpu": "16", "memory": "64Gi", "ephemeral-storage": "200Gi", "pods": "110"}
    return _node(name, "amd64", room, {})


@contextmanager
def joined(client: ApiClient, *nodes: Document) -> Iterator[None]:
    """Register nodes; in the end they leave, and Kubernetes deletes their pods.

    Yields once the scheduler places pods on each: it reads of nodes late, and what it decides
    before is about those that it knows.
    """
    try:
        join(client, *nodes)
        _wait_until_known(client, nodes)
        yield
    finally:
        leave(client, *nodes)


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


def _node(
    name: str, architecture: str, capacity: Mapping[str, str], labels: Mapping[str, str]
) -> Document:
    """Return a node with the labels that every node has, besides its own.

    https://kubernetes.io/docs/reference/labels-annotations-taints/
    """
    common = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": architecture,
    }
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady"}
    # A kubelet, too, creates its node with the status.
    status = {"capacity": capacity, "allocatable": capacity, "conditions": [ready]}
    return manifest("v1 Node", name, metadata={"labels": {**labels, **common}}, status=status)


def _node_of(platform: Platform, pool: PlatformPool, number: int) -> Document:
    """Return a node with one of the values that each label can have, by turns."""
    (known,) = (each for each in policy_settings(platform).pools if each.name == pool.name)
    fixed = stated_labels(pool)
    labels = {**{key: one[number % len(one)] for key, one in fixed.items()}, **known.labels}
    labels = {key: value for key, value in labels.items() if value}
    name, architecture = f"{platform.name}-{pool.name}-{number}", labels["kubernetes.io/arch"]
    node = _node(name, architecture, _capacity(platform, pool), labels)
    return {**node, "spec": {"taints": taint_objects(pool.facts.taints)}}


def stated_labels(pool: PlatformPool) -> dict[str, tuple[str, ...]]:
    """Return what a table says of labels, of a range of numbers the first; words say nothing."""
    stated = {}
    for key, values in pool.facts.fixed_labels.items():
        firsts = [re.sub(f"^{NUMBERS}$", r"\1", value) for value in values]
        if not any(" " in value for value in firsts):
            stated[key] = tuple(firsts)
    return stated


def _capacity(platform: Platform, pool: PlatformPool) -> dict[str, str]:
    capacity = {resource.name: str(resource.per_node) for resource in pool.facts.advertised}
    has_efa = pool.hardware.interconnect is Interconnect.EFA
    if platform.cluster.addons.efa_device_plugin and has_efa:
        capacity[_EFA_RESOURCE] = str(pool.hardware.interconnect_interfaces)
    return {
        **capacity,
        "cpu": str(pool.hardware.cpu),
        "memory": str(pool.hardware.memory),
        "pods": str(pool.max_pods),
    }


def _is_schedulable(node: Document) -> bool:
    return _NOT_READY not in {taint["key"] for taint in node["spec"].get("taints", [])}


def _wait_until_known(client: ApiClient, nodes: Iterable[Document]) -> None:
    """Place a pod on each node, and take it away again."""
    pods = [_pod_for(node) for node in nodes]
    with ExitStack() as stack:
        for pod in pods:
            client.create(pod)
            stack.callback(client.delete, pod)
        for pod in pods:
            client.wait_for(pod, has_node, PATIENCE_SECONDS)


def _pod_for(node: Document) -> Document:
    """Return a pod that only fits a node, and that asks for nothing of it."""
    name = node["metadata"]["name"]
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]}
    taints = node.get("spec", {}).get("taints", ())
    spec = {
        "containers": [{"name": "main", "image": "registry.example.com/probe:1.0.0"}],
        "affinity": required([term]),
        "tolerations": [{"key": taint["key"], "operator": "Exists"} for taint in taints],
    }
    return manifest("v1 Pod", f"for-{name}", "default", spec=spec)
