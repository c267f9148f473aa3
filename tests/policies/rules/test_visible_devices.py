from typing import Any

import pytest

from policies.document import Document
from policies.operation import Operation
from policies.rules.visible_devices import RULE
from tests.policies.conftest import found, gpu_pod, message

VARIABLE, VOID = "NVIDIA_VISIBLE_DEVICES", "void"


def _sets(**fields: Any) -> Document:
    return {"env": [{"name": VARIABLE, **fields}]}


def test_void_is_set_beside_a_container_with_a_gpu() -> None:
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
def test_a_value_set_by_hand_is_refused(fields: Any, resources: Any) -> None:
    assert message(found(RULE, gpu_pod(_sets(**fields) | {"resources": resources}))) == (
        "/spec/containers/0/env/0 The container train sets NVIDIA_VISIBLE_DEVICES by hand, "
        "which takes GPUs that the scheduler did not give it. Remove "
        "spec.containers[0].env[0] and ask for a GPU resource."
    )


@pytest.mark.parametrize("value", ["void", "none", ""])
def test_a_container_without_a_gpu_may_say_so(value: str) -> None:
    pod = gpu_pod()
    pod["spec"]["containers"].append({"name": "log"} | _sets(value=value))
    assert found(RULE, pod) == []


def test_a_pod_that_lands_on_no_gpu_node_is_left_alone() -> None:
    assert found(RULE, gpu_pod({"resources": {}})) == []


CLAIM = {"resourceClaims": [{"name": "claim"}]}
CLAIMING = {"name": "claiming", "resources": {"claims": [{"name": "claim"}]}}


@pytest.mark.parametrize(
    "resources", [{"limits": {"nvidia.com/gpu": 1}}, {"claims": [{"name": "claim"}]}]
)
def test_a_claim_is_no_reason_to_see_gpus(resources: Document) -> None:
    pod = gpu_pod({"resources": resources}, **CLAIM)
    pod["spec"]["containers"].append(CLAIMING)
    (*_, finding) = found(RULE, pod)
    assert finding.fix == (
        Operation("add", "/spec/containers/1/env", [{"name": VARIABLE, "value": VOID}]),
    )
    assert finding.message == (
        "The container claiming asks for no GPU resource, but would see every GPU of its node if "
        "its image sets NVIDIA_VISIBLE_DEVICES."
    )


def test_a_container_with_a_gpu_and_a_channel_keeps_its_gpu() -> None:
    resources = {"limits": {"nvidia.com/gpu": 4}, "claims": [{"name": "claim"}]}
    assert found(RULE, gpu_pod({"resources": resources}, **CLAIM)) == []


def test_a_container_with_a_claim_may_say_what_its_driver_says() -> None:
    pod = gpu_pod(CLAIMING | _sets(value=VOID), **CLAIM)
    assert found(RULE, pod) == []


@pytest.mark.parametrize(
    ("resource", "variable", "value"),
    [
        ("nvidia.com/mig-1g.10gb", "NVIDIA_VISIBLE_DEVICES", "void"),
        ("deviceclass.resource.kubernetes.io/gpu.nvidia.com", "NVIDIA_VISIBLE_DEVICES", "void"),
        ("amd.com/gpu", "AMD_VISIBLE_DEVICES", "none"),
        ("habana.ai/gaudi", "HABANA_VISIBLE_DEVICES", "none"),
    ],
)
def test_the_variable_is_that_of_the_maker_whose_gpu_the_pod_asks_for(
    resource: str, variable: str, value: str
) -> None:
    pod = gpu_pod({"resources": {"limits": {resource: 1}}})
    pod["spec"]["containers"].append({"name": "log"})
    (finding,) = found(RULE, pod)
    assert finding.fix == (
        Operation("add", "/spec/containers/1/env", [{"name": variable, "value": value}]),
    )
    assert finding.remedy == f"Set {variable} to {value}."


def test_intel_s_devices_are_taken_by_no_variable() -> None:
    pod = gpu_pod({"resources": {"limits": {"gpu.intel.com/i915": 1}}})
    pod["spec"]["containers"].append({"name": "log"})
    assert found(RULE, pod) == []


def test_variables_of_several_makers_are_set_at_once() -> None:
    pod = gpu_pod({"resources": {"limits": {"nvidia.com/gpu": 1, "amd.com/gpu": 1}}})
    pod["spec"]["containers"].append({"name": "log"})
    (finding,) = found(RULE, pod)
    added = [
        {"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"},
        {"name": "AMD_VISIBLE_DEVICES", "value": "none"},
    ]
    assert finding.fix == (Operation("add", "/spec/containers/1/env", added),)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("AMD_VISIBLE_DEVICES", "0-3", "AMD_VISIBLE_DEVICES"),
        ("HABANA_VISIBLE_DEVICES", "all", "HABANA_VISIBLE_DEVICES"),
        ("HABANA_VISIBLE_DEVICES", "void", "HABANA_VISIBLE_DEVICES"),
        ("HABANA_VISIBLE_DEVICES", "", "HABANA_VISIBLE_DEVICES"),
        # Its runtime reads the first variable whose name begins so.
        ("HABANA_VISIBLE_DEVICES_", "all", "HABANA_VISIBLE_DEVICES"),
    ],
)
def test_what_takes_devices_of_another_maker_is_refused(name: str, value: str, said: str) -> None:
    variables = {"env": [{"name": name, "value": value}]}
    (finding,) = found(RULE, gpu_pod({"resources": {}} | variables))
    assert finding.message == (
        f"The container train sets {said} by hand, which takes GPUs that the scheduler did not "
        "give it."
    )


@pytest.mark.parametrize(
    ("name", "value"), [("AMD_VISIBLE_DEVICES", "none"), ("HABANA_VISIBLE_DEVICES", "none")]
)
@pytest.mark.parametrize("filter_of_its_own", ["HIP_VISIBLE_DEVICES", "HABANA_VISIBLE_MODULES"])
def test_what_takes_none_passes(name: str, value: str, filter_of_its_own: str) -> None:
    variables = [{"name": name, "value": value}, {"name": filter_of_its_own, "value": "0"}]
    assert found(RULE, gpu_pod({"resources": {}, "env": variables})) == []


def test_a_first_value_that_takes_none_hides_no_second() -> None:
    pod = gpu_pod()
    entries = [{"name": VARIABLE, "value": value} for value in (VOID, "all")]
    pod["spec"]["containers"].append({"name": "log", "env": entries})
    (finding,) = found(RULE, pod)
    assert finding.path == "/spec/containers/1/env/1"
