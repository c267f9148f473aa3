"""What few pods have, and rules look for: it is added to pods made by chance."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from charts_py.objects.document import Document
from gpus.allocator import device_class_resource
from policies.operation import copied

_OFTEN = 0.4
"""How probable it is that a pod gets one of them."""
_IMAGE = "registry.example.com/research/serve:1.4"
_ARCHITECTURE = "kubernetes.io/arch"
_IDENTITY = {"app.kubernetes.io/name": "ranking", "app.kubernetes.io/instance": "blue"}


def _names_its_node(pod: Document) -> None:
    pod["spec"]["nodeName"] = "node-0"


def _preloads(pod: Document) -> None:
    _first(pod)["env"] = [{"name": "LD_PRELOAD", "value": "/usr/lib/libjemalloc.so.2"}]


def _asks_twice(pod: Document) -> None:
    classed = device_class_resource("gpu.nvidia.com")
    _first(pod)["resources"] = {"limits": {"nvidia.com/gpu": "1", classed: "1"}}


def _asks_for(count: int, resource: str = "nvidia.com/gpu") -> Callable[[Document], None]:
    def ask(pod: Document) -> None:
        _first(pod)["resources"] = {"limits": {resource: str(count), "memory": "8Gi"}}

    return ask


def _only_requests(pod: Document) -> None:
    _make_right(pod, requests={"nvidia.com/gpu": "1"})


def _says_which_architecture(pod: Document) -> None:
    pod["spec"]["nodeSelector"] = {_ARCHITECTURE: "arm64"}


def _is_of_a_service(resource: str) -> Callable[[Document], None]:
    def make(pod: Document) -> None:
        _make_right(pod, limits={resource: "1"})
        pod["metadata"]["labels"] = dict(_IDENTITY)

    return make


def _make_right(pod: Document, **resources: Document) -> None:
    """Leave nothing of a pod that any rule could refuse."""
    pod["metadata"] = {}
    pod["spec"] = {"containers": [{"name": "serve", "image": _IMAGE, "resources": resources}]}


def _asks_for_more_than_a_node_has(pod: Document) -> None:
    _make_right(pod, limits={"nvidia.com/gpu": "1", "cpu": "400"})


def _names_a_scheduler(pod: Document) -> None:
    _make_right(pod, limits={"nvidia.com/gpu": "1"})
    pod["spec"]["schedulerName"] = "volcano"


def _first(pod: Document) -> dict[str, Any]:
    first: dict[str, Any] = pod["spec"]["containers"][0]
    return first


_PARTS: Sequence[Callable[[Document], None]] = (
    _names_its_node,
    _preloads,
    _asks_twice,
    _asks_for(1),
    _asks_for(16),
    _asks_for(2, "nvidia.com/gpu.shared"),
    _asks_for(1, "nvidia.com/gpu.shared"),
    _only_requests,
    _says_which_architecture,
    _is_of_a_service("nvidia.com/gpu.shared"),
    _is_of_a_service("nvidia.com/mig-1g.10gb"),
    _asks_for_more_than_a_node_has,
    _names_a_scheduler,
)


def with_rare_parts(pod: Document, seed: int) -> Document:
    """Return a copy that has one of them, by chance; the same for the same seed."""
    chance = Random(seed)  # noqa: S311 # it makes examples, not secrets
    copy: Document = copied(pod)
    if chance.random() < _OFTEN:
        chance.choice(_PARTS)(copy)
    return copy
