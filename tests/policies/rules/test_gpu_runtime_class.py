from typing import Any

import pytest

from policies.rules.gpu_runtime_class import RULE
from tests.policies.conftest import found, gpu_pod, message

NO_GPU = {"resources": {"limits": {"nvidia.com/gpu": 0}}}
AGENT = {"ownerReferences": [{"kind": "DaemonSet", "controller": True}]}


@pytest.mark.parametrize("name", ["nvidia", "nvidia-cdi", "nvidia-legacy"])
def test_a_class_of_gpus_is_refused_without_gpus(name: str) -> None:
    assert message(found(RULE, gpu_pod(NO_GPU, runtimeClassName=name))) == (
        f"/spec/runtimeClassName The pod asks for no GPU, but names the runtime class {name}, "
        "which can give it all GPUs of its node, and keeps their driver from being replaced. "
        "Remove spec.runtimeClassName, or ask for a GPU resource."
    )


@pytest.mark.parametrize("name", ["gvisor", "", None, 1, ["nvidia"]])
def test_other_classes_pass(name: Any) -> None:
    assert found(RULE, gpu_pod(NO_GPU, runtimeClassName=name)) == []


def test_a_pod_with_gpus_may_name_the_class() -> None:
    assert found(RULE, gpu_pod(runtimeClassName="nvidia")) == []
    claim = [{"name": "gpu"}]
    assert found(RULE, gpu_pod(NO_GPU, runtimeClassName="nvidia", resourceClaims=claim)) == []


def test_the_classes_are_those_of_the_cluster() -> None:
    pod = gpu_pod(NO_GPU, runtimeClassName="nvidia-container-runtime")
    assert len(found(RULE, pod, gpu_runtime_classes=("nvidia-container-runtime",))) == 1


def test_an_agent_outside_the_teams_namespaces_may_name_it() -> None:
    agent = gpu_pod(NO_GPU, runtimeClassName="nvidia")
    agent["metadata"] |= AGENT
    assert found(RULE, agent, "monitoring") == []
    assert len(found(RULE, agent, "training")) == 1
