"""The API server can afford its own policies: on pods of many containers, and on hostile ones."""

from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import COST_CENTER
from policies.admission import Review, today
from policies.engine import Engine
from policies.operation import copied
from policies.settings import Settings
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import TOO_MUCH, Decision, decide, without_expression
from tests.e2e.in_tree.policies import judging, policies_applied
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import GPU, required

CONTAINERS, GPUS = 50, 8
NAMESPACE = "foreign"
TEAMS = 1100
LAST = f"team-{TEAMS - 1}"


def _pod(containers: list[Document], **spec: Any) -> Document:
    return manifest("v1 Pod", "many", NAMESPACE, spec={"containers": containers, **spec})


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
    return required([{"matchExpressions": [one] * expressions}] * count)


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
    "annotations": manifest(
        "v1 Pod",
        "many",
        NAMESPACE,
        {"annotations": {"gpuplane.io/gpu-model": "h100," * 100}},
        spec={"containers": [_container(0, {GPU: 1})], "affinity": _terms(16, 4)},
    ),
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
DENIALS = {
    "resources": TOO_MUCH,
    "containers": "granted-pools: The pod has 2000 containers; allowed: 256. Make several pods of "
    "it.",
    "terms": "granted-pools: The pod's required node affinity has 400 terms; allowed: 64. Name "
    "several values in one expression of spec.affinity.nodeAffinity.",
    "tolerations": "gpu-node-intrusion: The pod asks for no GPU, but tolerates the taints of pool "
    "a100-mixed. Ask for a GPU resource, or remove that from spec.tolerations.",
}
"""Why each is denied: by a rule, or where nothing can afford to read it, by the budget of CEL."""


@pytest.fixture(scope="module")
def decided(admin: ApiClient, platforms: dict[str, Platform]) -> dict[str, dict[str, Decision]]:
    """What the policies of training decide about the right pods and the wrong ones."""
    with policies_applied(admin, platforms["training"]):
        return {
            which: {name: decide(admin, pod) for name, pod in pods.items()}
            for which, pods in (("right", RIGHT), ("wrong", WRONG))
        }


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_pod_of_many_parts_is_admitted(
    decided: dict[str, dict[str, Decision]], name: str
) -> None:
    decision = decided["right"][name]
    assert (decision.denial, decision.refusal) == ("", "")


def test_a_wrong_pod_of_too_many_parts_is_refused(
    decided: dict[str, dict[str, Decision]], evidence: Evidence
) -> None:
    decisions = decided["wrong"].values()
    assert {each.policy for each in decisions} == {"pods-denied.gpuplane.io"}
    denials = {name: without_expression(each.denial) for name, each in decided["wrong"].items()}
    assert denials == DENIALS
    evidence.show(
        f"The API server admits right pods of {CONTAINERS} containers by its own policies, and "
        "refuses hostile ones, whatever reading them costs.",
        f"hostile in {', '.join(sorted(WRONG))}: "
        f"{sum(each == TOO_MUCH for each in denials.values())} by the budget of CEL, the others by "
        "a rule",
    )


def test_policies_of_many_namespaces_judge_by_all_of_them(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    settings = _of_teams(policy_settings(platforms["training"]), TEAMS)
    pod = _pod([_container(0, {GPU: 1})])
    pod["metadata"] |= {"namespace": LAST, "labels": {COST_CENTER: "another"}}
    review = Review(LAST, today(), fixes=False)
    expected = " ".join(map(str, Engine(settings).admit(copied(pod), review).denials))
    with applied(admin, [namespace(LAST), *judging(settings)]):
        denial = once_seen(lambda: decide(admin, pod).denial)
    assert f"cost-center-{TEAMS - 1}" in expected
    assert denial == expected
    evidence.show(
        f"The API server can afford its own policies on a cluster of {TEAMS} namespaces.",
        f"a GPU pod of the last of them is denied: `{denial}`",
    )


def _of_teams(settings: Settings, count: int) -> Settings:
    """Return the settings with that many teams, each with a namespace and labels of its own."""
    (one, *_) = settings.namespaces.values()
    namespaces = {}
    for n in range(count):
        labels = {key: f"{key.rpartition('/')[2]}-{n}" for key in one.labels}
        namespaces[f"team-{n}"] = replace(one, team=f"team-{n}", labels=labels)
    return replace(settings, namespaces=namespaces)
