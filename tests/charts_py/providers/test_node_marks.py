"""What a pool states of its nodes' taints and labels, on whatever makes the nodes."""

import datetime as dt
import json
from typing import Any

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.extensions.patches import Patcher
from charts_py.platform.policy_settings import policy_settings
from policies.admission import Review
from policies.engine import Engine
from policies.rules.gpu_node_intrusion import is_guarded
from tests.charts_py.fixture_types import Load, ObjectsOf, PlatformWith, Sample

STATED = "taints: [{key: dedicated, value: llm, effect: NoExecute}], labels: {sku: gpu}"
DEDICATED = {"key": "dedicated", "value": "llm", "effect": "NoExecute"}


PATHS = {
    "eks": ("NodePool", "template.spec.taints", "template.metadata.labels"),
    "gke": ("ContainerNodePool", "nodeConfig.taint", "nodeConfig.labels"),
    "compute-class": ("ComputeClass", "nodePoolConfig.taints", "nodePoolConfig.nodeLabels"),
    "aks": ("ManagedClustersAgentPool", "nodeTaints", "nodeLabels"),
}
"""The objects of providers, and where these hold taints and labels."""
MACHINES = {
    "eks": "g6.xlarge",
    "gke": "g2-standard-4",
    "compute-class": "g2-standard-4",
    "aks": "Standard_NC4as_T4_v3",
}
WRITTEN: dict[str, Any] = {
    "gke": DEDICATED | {"effect": "NO_EXECUTE"},
    "aks": "dedicated=llm:NoExecute",
}


@pytest.mark.parametrize("provider", PATHS)
def test_stated_taints_and_labels_are_on_the_nodes(
    platform_with: PlatformWith, objects_of: ObjectsOf, provider: str
) -> None:
    machine, (kind, taints, labels) = MACHINES[provider], PATHS[provider]
    pool = f"{{instanceType: {machine}, purpose: batch, nodes: {{max: 1}}, {STATED}}}"
    spec = objects_of(platform_with(provider, pool))[f"{kind} pool"]["spec"]
    assert WRITTEN.get(provider, DEDICATED) in _at(spec, taints)
    assert _at(spec, labels)["sku"] == "gpu"


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value[name]
    return value


def test_machines_are_marked_as_their_pool_says(
    platform_of: Load, sample: Sample, objects_of: ObjectsOf
) -> None:
    made = objects_of(platform_of(sample("node-marks")))
    (rack,) = made["NodeFeatureRule rack"]["spec"]["rules"]
    (single,) = made["NodeFeatureRule single"]["spec"]["rules"]
    gpu = {"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}
    assert (rack["taints"], single["taints"]) == ([gpu, DEDICATED], [])
    assert rack["labels"]["hub.jupyter.org/node-purpose"] == "user"


def test_admission_goes_by_what_a_pool_states(platform_of: Load, sample: Sample) -> None:
    settings = policy_settings(platform_of(sample("node-marks")))
    rack, single = settings.pools
    assert [str(taint) for taint in rack.taints] == [
        "nvidia.com/gpu=true:NoSchedule",
        "dedicated=llm:NoExecute",
    ]
    assert (rack.labels["sku"], single.taints) == ("gpu", ())
    assert (is_guarded(rack), is_guarded(single)) == (True, False)


def test_daemons_tolerate_what_their_pools_state(platform_of: Load, sample: Sample) -> None:
    platform = platform_of(sample("node-marks"))
    assert [str(taint) for taint in platform.daemon_taints(platform.pools)] == [
        "dedicated=llm:NoExecute",
        "nvidia.com/gpu=true:NoSchedule",
    ]


def test_a_gpu_pod_tolerates_what_its_pool_states(platform_of: Load, sample: Sample) -> None:
    engine = Engine(policy_settings(platform_of(sample("node-marks"))))
    container = {"name": "a", "image": "a:1", "resources": {"limits": {"nvidia.com/gpu": "4"}}}
    pod = {"metadata": {"name": "a"}, "spec": {"containers": [container]}}
    fixed = engine.admit(pod, Review("home", dt.date(2026, 1, 1))).document["spec"]
    assert [(one["key"], one["value"], one["effect"]) for one in fixed["tolerations"]] == [
        ("nvidia.com/gpu", "true", "NoSchedule"),
        ("dedicated", "llm", "NoExecute"),
    ]


@pytest.mark.parametrize("provider", PATHS)
def test_a_patch_cannot_taint_the_nodes(
    platform_with: PlatformWith, objects_of: ObjectsOf, provider: str
) -> None:
    kind, taints, _ = PATHS[provider]
    pool = f"{{instanceType: {MACHINES[provider]}, purpose: batch, nodes: {{max: 1}}}}"
    path = f"/spec/{taints.replace('.', '/')}"
    added = json.dumps([WRITTEN.get(provider, DEDICATED)])
    operation = f"{{op: add, path: {path}, value: {added}}}"
    patches = f"{{patches: [{{kind: {kind}, name: pool, operations: [{operation}]}}]}}"
    platform = platform_with(provider, pool, extensions=patches)
    with pytest.raises(SpecError) as error:
        Patcher(platform).apply(objects_of(platform).values())
    assert str(error.value).partition(": ")[2] == (
        f"extensions.patches[0].operations[0]: changes the taints of {_named(kind, provider)}, "
        "which admission, queues and agents would not know; allowed: pools.NAME.taints, which "
        "they follow, or pools.NAME.taint: none"
    )


def _named(kind: str, provider: str) -> str:
    return f"{kind} node-pools/pool" if provider in ("gke", "aks") else f"{kind} pool"
