"""Which pools could hold a pod, and why others could not."""

from typing import Any

import pytest

from gpuplane.playground.cluster_facts import PlaygroundFacts
from gpuplane.playground.pod_answers import pool_places
from policies.engine import Engine
from policies.pod import Pod

GPUS = {"nvidia.com/gpu": 1}
TOLERANT = {"tolerations": [{"operator": "Exists"}]}
_ELSEWHERE = {"key": "gpuplane.io/pool", "operator": "NotIn", "values": ["h100"]}
_TERMS = {"nodeSelectorTerms": [{"matchExpressions": [_ELSEWHERE]}]}
AFFINITY = {
    "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": _TERMS}}
}
DEAD: Any = {
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{}]}
        }
    }
}


def _reasons(facts: PlaygroundFacts, namespace: str, limits: object, **spec: Any) -> dict[str, str]:
    containers = [{"name": "a", "resources": {"limits": limits, "requests": limits}}]
    engine = Engine(facts.settings)
    pod = Pod({"spec": {**TOLERANT, "containers": containers, **spec}}, engine.offer.names.is_gpu)
    return {place.pool: place.reason for place in pool_places(facts, engine, pod, namespace)}


@pytest.mark.parametrize(
    ("limits", "spec", "reason"),
    [
        (GPUS, {}, ""),
        ({"nvidia.com/gpu": 9}, {}, "a node has 8 of nvidia.com/gpu, and the pod asks for 9"),
        ({**GPUS, "cpu": 200}, {}, "a node has 191 of cpu, and the pod asks for 200"),
        ({**GPUS, "memory": "3Ti"}, {}, "a node has 2047Gi of memory, and the pod asks for 3Ti"),
        (
            GPUS,
            AFFINITY,
            "it has no nodes with gpuplane.io/pool other than h100: gpuplane.io/pool is h100 there",
        ),
        (GPUS, DEAD, "the pod's node affinity leaves it out"),
        (
            GPUS,
            {"nodeSelector": {"gpuplane.io/pool": "h100-spot"}},
            "it has no nodes with gpuplane.io/pool h100-spot: gpuplane.io/pool is h100 there",
        ),
        (
            GPUS,
            {"nodeSelector": {"accelerator": "h100"}},
            "it has no nodes with accelerator h100: accelerator is not set there",
        ),
        (
            GPUS,
            {"tolerations": []},
            "the pod does not tolerate its taint nvidia.com/gpu=present:NoSchedule",
        ),
        ({"nvidia.com/gpu.shared": 1}, {}, "it offers nvidia.com/gpu, not nvidia.com/gpu.shared"),
    ],
)
def test_the_plainest_reason_is_told(
    training_facts: PlaygroundFacts, limits: object, spec: Any, reason: str
) -> None:
    assert _reasons(training_facts, "research-training", limits, **spec)["h100"] == reason


def test_a_namespace_without_quota_on_a_pool_is_named(training_facts: PlaygroundFacts) -> None:
    limits = {"nvidia.com/gpu.shared": 1}
    reasons = _reasons(training_facts, "research-training", limits)
    assert reasons["a10g-notebooks"] == "namespace research-training has no quota on it"


def test_a_spot_pool_says_how_to_opt_in(training_facts: PlaygroundFacts) -> None:
    tolerations = [{"key": "nvidia.com/gpu", "operator": "Exists"}]
    reasons = _reasons(training_facts, "research-training", GPUS, tolerations=tolerations)
    assert reasons["h100-spot"] == (
        "the pod does not tolerate its taint gpuplane.io/purchase=spot:NoSchedule; "
        "the annotation gpuplane.io/purchase: spot opts in"
    )
