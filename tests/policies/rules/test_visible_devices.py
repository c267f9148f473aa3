from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.operation import Operation
from policies.rules.visible_devices import RULE, VARIABLE, VOID

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


def _sets(**fields: Any) -> Document:
    return {"env": [{"name": VARIABLE, **fields}]}


def test_void_is_set_beside_a_container_with_a_gpu(found: Found, gpu_pod: MakePod) -> None:
    pod = gpu_pod(initContainers=[{"name": "init"}])
    pod["spec"]["containers"].append({"name": "log", "env": [{"name": "A"}]})
    findings = found(RULE, pod)
    void = {"name": VARIABLE, "value": VOID}
    assert [finding.fix for finding in findings] == [
        (Operation("add", "/spec/initContainers/0/env", [void]),),
        (Operation("add", "/spec/containers/1/env/-", void),),
    ]
    assert findings[1].message == (
        "The container log asks for no GPU, but would see every GPU of its node if its image "
        "sets NVIDIA_VISIBLE_DEVICES."
    )


@pytest.mark.parametrize(
    "fields", [{"value": "all"}, {"value": "0"}, {"valueFrom": {"configMapKeyRef": {}}}]
)
@pytest.mark.parametrize("resources", [{}, {"limits": {"nvidia.com/gpu": 1}}])
def test_a_value_set_by_hand_is_refused(
    found: Found, gpu_pod: MakePod, fields: Any, resources: Any
) -> None:
    assert _messages(found(RULE, gpu_pod(_sets(**fields) | {"resources": resources}))) == [
        (
            "/spec/containers/0/env/0 The container train sets NVIDIA_VISIBLE_DEVICES by hand, "
            "which "
            "takes GPUs that the scheduler did not give it. Remove spec.containers[0].env[0] and "
            "ask "
            "for a GPU resource."
        )
    ]


@pytest.mark.parametrize("value", ["void", "none", ""])
def test_a_container_without_a_gpu_may_say_so(found: Found, gpu_pod: MakePod, value: str) -> None:
    pod = gpu_pod()
    pod["spec"]["containers"].append({"name": "log"} | _sets(value=value))
    assert found(RULE, pod) == []


def test_a_pod_that_lands_on_no_gpu_node_is_left_alone(found: Found, gpu_pod: MakePod) -> None:
    assert found(RULE, gpu_pod({"resources": {}})) == []
