"""The pods of the attacks, each with what its own test sees of it."""

from collections.abc import Iterator

from charts_py.objects.document import Document
from policies.limits import MAX_EXPRESSIONS, MAX_NODE_SELECTOR_TERMS
from tests.e2e.attacks import (
    test_amplification,
    test_large_pods,
    test_node_name,
    test_shared_memory,
    test_unreadable_objects,
    test_visible_devices,
    test_volumes_and_runtimes,
)
from tests.e2e.scheduling.gpu_pods import plain_pod, requesting_pod

_VARIABLES = (
    "NVIDIA_VISIBLE_DEVICES",
    "AMD_VISIBLE_DEVICES",
    "HABANA_VISIBLE_DEVICES",
    "HABANA_VISIBLE_DEVICES_OF_ANY_NAME",
)
_ANY = ""
"""The namespace is chosen by whoever sends them."""


def attacking_pods() -> Iterator[Document]:
    """Yield them; what they name may be missing, and their namespace is any."""
    yield from _of_nodes()
    yield from _of_devices()
    yield from _of_volumes()
    yield from _of_memory()
    yield from _of_size()


def _of_nodes() -> Iterator[Document]:
    yield test_node_name.pod("node")
    yield test_node_name.pod("static", annotations=test_node_name.STATIC)
    yield requesting_pod("requesting", _ANY)


def _of_devices() -> Iterator[Document]:
    attack = test_visible_devices
    yield attack.claiming("intruder", _ANY)
    onlooker = attack.beside(plain_pod("onlooker", _ANY), **attack.HOLDS)
    onlooker["spec"] |= attack.CLAIMS
    yield onlooker
    sourced = attack.beside(plain_pod("sourced", _ANY), envFrom=attack.SOMETHING)
    sourced["spec"]["containers"][0]["envFrom"] = attack.SOMETHING
    yield sourced
    for name in _VARIABLES:
        takes_all = [{"name": name, "value": "all"}]
        yield attack.without_gpu(plain_pod("taker", _ANY), env=takes_all)


def _of_volumes() -> Iterator[Document]:
    attack = test_volumes_and_runtimes
    for path in (*attack.WAYS, *attack.HONEST, "/dev/nvidia0\x1b[2J\x1b]0;owned\x07\u202e"):
        yield attack.mounting(path)
    for name in attack.CLASSES:
        yield attack.pod_without_gpu(runtimeClassName=name)
        yield attack.gpu_pod(runtimeClassName=name)
    for reference in ("docker.io/acme/model", "registry.example.com/model:1.0"):
        yield attack.gpu_pod(volumes=[{"name": "weights", "image": {"reference": reference}}])
    for model in ("h100, not a label!", "h100", "h200"):
        yield attack.gpu_pod({attack.MODEL: model})
        yield attack.gpu_pod({attack.MODEL: model}, nodeSelector={attack.MODEL: "a100"})


def _of_memory() -> Iterator[Document]:
    attack = test_shared_memory
    small = attack.pod_of("small", "512Gi")
    small["spec"]["initContainers"] = [attack.beside("check", "1Gi")]
    yield small
    volumes: tuple[Document, ...] = ({"medium": "Memory"}, {})
    for volume in volumes:
        own = attack.pod_of("own", "16Gi", volumes=[{"name": "own", "emptyDir": volume}])
        own["spec"]["containers"][0]["volumeMounts"] = attack.OWN
        yield own


def _of_size() -> Iterator[Document]:
    attack = test_amplification
    yield attack.gpu_pod({attack.MODEL: "h100"}, affinity=attack.affinity(1, MAX_EXPRESSIONS))
    terms = attack.affinity(MAX_NODE_SELECTOR_TERMS, 1)
    yield attack.gpu_pod({attack.MODEL: ",".join(["h100"] * 5000)}, affinity=terms)
    yield attack.gpu_pod(affinity=attack.affinity(MAX_NODE_SELECTOR_TERMS + 1, 1))
    yield attack.gpu_pod(affinity=attack.affinity(1, MAX_EXPRESSIONS + 1))
    yield test_large_pods.largest()
    yield test_large_pods.hostile("600 resources in each of 30 containers")
    yield test_unreadable_objects.pod(text="<" * test_unreadable_objects.LARGE)
