"""Random GPU pods: right, wrong and odd ones, the same for the same seed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Any

from policies.document import Document
from policies.operation import copied
from policies.settings import Settings

_NAMESPACES = ("default", "kube-system", "foreign")
"""That belong to no team."""
_RESOURCES = ("nvidia.com/gpu", "nvidia.com/mig-1g.5gb", "nvidia.com/gpu.shared", "amd.com/gpu")
_RIGHT_IMAGES = (
    "registry.example.com/train:1.4",
    "registry.example.com/train@sha256:" + "0" * 64,
    "nvcr.io/nvidia/pytorch:26.09-py3",
)
_WRONG_IMAGES = ("registry.example.com/train:latest", "pytorch/pytorch:2.9.0", "")
_MEMORY = ("64Gi", "1500Mi", "2Ti", "8e9", "much", 1024, None)
_VARIABLES: Sequence[Document] = (
    {"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"},
    {"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"},
    {"name": "NVIDIA_VISIBLE_DEVICES", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
    {"name": "LD_PRELOAD", "value": "/usr/lib/libjemalloc.so.2"},
    {"name": "NCCL_DEBUG", "value": "INFO"},
)
_MOUNTS: Sequence[Document] = (
    {"name": "shm", "mountPath": "/dev/shm/"},  # noqa: S108 # a path in a container
    {"name": "data", "mountPath": "/data"},
)
_SECURITY: Sequence[Document] = (
    {"privileged": True},
    {"capabilities": {"add": ["SYS_ADMIN"]}},
    {"runAsNonRoot": True},
)
_VOLUMES: Sequence[Document] = (
    {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
    {"name": "shm", "emptyDir": {"medium": "Memory"}},
    {"name": "gpuplane-shm", "emptyDir": {}},
    {"name": "gpu", "hostPath": {"path": "/dev/nvidia0"}},
    {"name": "model", "image": {"reference": "registry.example.com/model:latest"}},
    {"name": "model", "image": {"reference": "docker.io/acme/model:2"}},
)
_TOLERATIONS: Sequence[Document] = (
    {"operator": "Exists"},
    {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},
    {"key": "gpuplane.io/purchase", "value": "spot"},
    {"key": "example.com/age", "operator": "Gt", "value": "5"},
)
_SELECTORS: Sequence[Document] = (
    {"gpuplane.io/purchase": "spot"},
    {"gpuplane.io/gpu-model": "h100"},
    {"topology.kubernetes.io/zone": "us-east-1a"},
    {"kubernetes.io/os": "windows"},
)
_ANNOTATIONS: Sequence[Document] = (
    {"gpuplane.io/gpu-model": "h100"},
    {"gpuplane.io/gpu-model": "h100, t4"},
    {"gpuplane.io/gpu-model": "v100"},
    {"gpuplane.io/nvlink": "true"},
    {"gpuplane.io/purchase": "spot"},
    {"example.com/owner": "me"},
)
_LABELS: Sequence[Document] = (
    {"app": "ranking"},
    {"app.kubernetes.io/name": "ranking", "app.kubernetes.io/instance": "blue"},
    {"gpuplane.io/team": "somebody-else"},
)
_PRIORITIES = ("training", "batch", "inference", "system-node-critical", "unheard-of")
_OFTEN, _EVEN, _RARE = 0.9, 0.5, 0.1
"""Probabilities."""
_AMOUNTS = (*(1, 1, 1, 1, 1, 1, 2, 4, 8, "1", "2"), *(16, "0.5", "-1", 0, "many"))


def synthetic_pods(seed: int, settings: Settings) -> Iterator[tuple[str, Document]]:
    """Yield pods without end, each with the namespace that its request names."""
    chance = Random(seed)  # noqa: S311 # it makes examples, not secrets
    offered = {resource.name for pool in settings.pools for resource in pool.resources}
    resources = sorted(offered | set(_RESOURCES))
    namespaces = (*sorted(settings.namespaces), *_NAMESPACES)
    for number in count():
        yield chance.choice(namespaces), _pod(chance, f"pod-{number}", resources)


def _pod(chance: Random, name: str, resources: Sequence[str]) -> Document:
    metadata = {
        "name": name,
        **_maybe(chance, "labels", _LABELS),
        **_maybe(chance, "annotations", _ANNOTATIONS, rarely=True),
    }
    spec = {
        "containers": [_container(chance, resources, n) for n in range(chance.randint(1, 2))],
        **_maybe(chance, "initContainers", [[_container(chance, resources, 2)]], rarely=True),
        **_maybe(chance, "nodeSelector", _SELECTORS),
        **_maybe(chance, "tolerations", [[chance.choice(_TOLERATIONS)], [], None], rarely=True),
        **_maybe(chance, "volumes", [[chance.choice(_VOLUMES)], [], None]),
        **_maybe(chance, "priorityClassName", _PRIORITIES, rarely=True),
        **_maybe(chance, "priority", [0], rarely=True),
        **_maybe(chance, "hostIPC", [True], rarely=True),
        **_maybe(chance, "resourceClaims", [[{"name": "gpu"}]], rarely=True),
        **_maybe(chance, "runtimeClassName", ["nvidia"], rarely=True),
        **_maybe(chance, "unknown", [{"kept": [1, None, 2.5]}], rarely=True),
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _container(chance: Random, resources: Sequence[str], number: int) -> Document:
    amounts = (
        {chance.choice(resources): chance.choice(_AMOUNTS)} if chance.random() < _OFTEN else {}
    )
    memory = {"memory": chance.choice(_MEMORY), "cpu": chance.choice((1, "500m", 96))}
    return {
        "name": f"{chance.choice(('train', 'serve', 'log'))}-{number}",
        "image": chance.choice(_RIGHT_IMAGES if chance.random() < _OFTEN else _WRONG_IMAGES),
        "resources": {
            **_maybe(chance, "limits", [amounts, {**amounts, **memory}, None]),
            **_maybe(chance, "requests", [amounts, {**amounts, **memory}, {}]),
        },
        **_maybe(chance, "env", [[chance.choice(_VARIABLES)], None], rarely=True),
        **_maybe(chance, "volumeMounts", [[chance.choice(_MOUNTS)]]),
        **_maybe(chance, "securityContext", _SECURITY, rarely=True),
        **_maybe(chance, "restartPolicy", ["Always"], rarely=True),
    }


def _maybe(
    chance: Random, field: str, values: Sequence[Any], *, rarely: bool = False
) -> Mapping[str, Any]:
    likely = _RARE if rarely else _EVEN
    return {field: copied(chance.choice(values))} if chance.random() < likely else {}
