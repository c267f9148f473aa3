"""The API server can afford its own policies: on pods of many containers, and on hostile ones."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import decide
from tests.e2e.in_tree.policies import policies_applied

CONTAINERS, GPUS = 50, 8
NAMESPACE = "foreign"
GPU = "nvidia.com/gpu"


def _pod(containers: list[Document], **spec: Any) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "many", "namespace": NAMESPACE},
        "spec": {"containers": containers, **spec},
    }


def _container(number: int, limits: Document, **fields: Any) -> Document:
    return {
        "name": f"container-{number}",
        "image": "registry.example.com/research/train:1.4.0",
        "resources": {"limits": {"cpu": "1", "memory": "8Gi", **limits}},
        **fields,
    }


def _env(count: int) -> list[Document]:
    return [{"name": f"VARIABLE_{number}", "value": "some value"} for number in range(count)]


def _terms(count: int, expressions: int) -> Document:
    one = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["us-east-1a"]}
    term = {"matchExpressions": [one] * expressions}
    required = {"nodeSelectorTerms": [term] * count}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


SOURCES = [{"configMapRef": {"name": f"settings-{n}"}} for n in range(4)]
OWN = {"name": "LD_PRELOAD", "value": ""}
MEMORY = {"medium": "Memory", "sizeLimit": "4Gi"}
VOLUMES = [{"name": f"volume-{n}", "emptyDir": MEMORY} for n in range(11)]
MOUNTS = [
    {"name": "volume-10", "mountPath": "/dev/shm"},  # noqa: S108 # a path in a container
    *({"name": f"volume-{n}", "mountPath": f"/dev/volume-{n}"} for n in range(10)),
]


def _many(variables: int) -> list[Document]:
    """Return containers of which eight have a GPU, as a webhook fixes them."""
    closed = [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}]
    return [
        _container(n, {GPU: 1}, env=_env(variables))
        if n < GPUS
        else _container(n, {}, env=[*_env(variables), *closed])
        for n in range(CONTAINERS)
    ]


RIGHT = {
    "containers": _pod(_many(0)),
    "variables": _pod(_many(40)),
    "sources": _pod(
        [{**each, "envFrom": SOURCES, "env": [*each["env"], OWN]} for each in _many(0)]
    ),
    "mounts": _pod([{**each, "volumeMounts": MOUNTS} for each in _many(0)], volumes=VOLUMES),
    "annotations": {
        **_pod([_container(0, {GPU: 1})], affinity=_terms(16, 4)),
        "metadata": {
            "name": "many",
            "namespace": NAMESPACE,
            "annotations": {"gpuplane.io/gpu-model": "h100," * 100},
        },
    },
    "no GPU": _pod([_container(n, {}, env=_env(40)) for n in range(CONTAINERS)]),
    "terms": _pod([_container(0, {GPU: 1})], affinity=_terms(16, 4)),
    "tolerations": _pod(
        [_container(0, {GPU: 1})],
        tolerations=[{"key": f"example.com/{n}", "operator": "Exists"} for n in range(100)],
    ),
}
WRONG = {
    "resources": _pod([_container(n, {f"{GPU}.{r:x}": 1 for r in range(600)}) for n in range(30)]),
    "containers": _pod([_container(n, {GPU: 1}) for n in range(2000)], hostIPC=True),
    "terms": _pod([_container(0, {GPU: 1})], affinity=_terms(400, 60), hostIPC=True),
    "tolerations": _pod(
        [_container(0, {})],
        tolerations=[
            *({"key": f"example.com/{n}", "operator": "Exists"} for n in range(9000)),
            {"operator": "Exists"},
        ],
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_pod_of_many_parts_is_admitted(
    admin: ApiClient, platforms: dict[str, Platform], name: str
) -> None:
    with policies_applied(admin, platforms["training"]):
        decision = decide(admin, RIGHT[name])
    assert (decision.denial, decision.refusal) == ("", "")


def test_a_wrong_pod_of_too_many_parts_is_refused(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    with policies_applied(admin, platforms["training"]):
        refused = {name: bool(decide(admin, pod).denial) for name, pod in WRONG.items()}
    assert refused == dict.fromkeys(WRONG, True)
    evidence.show(
        f"The API server admits right pods of {CONTAINERS} containers by its own policies, and "
        "refuses hostile ones, whatever reading them costs.",
        f"hostile in {', '.join(sorted(WRONG))}: all refused",
    )
