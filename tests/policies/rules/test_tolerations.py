from typing import Any

import pytest
from msgspec.structs import replace

from policies.finding import Severity
from policies.operation import Operation
from policies.rules.tolerations import RULE
from tests.policies.conftest import GPU_TOLERATION, SETTINGS, found, gpu_pod

SPOT_TOLERATION = GPU_TOLERATION | {"key": "gpuplane.io/purchase", "value": "spot"}
OTHER = {"key": "zone", "operator": "Exists"}


def test_the_array_is_added_where_it_is_absent() -> None:
    (finding,) = found(RULE, gpu_pod())
    assert finding.fix == (Operation("add", "/spec/tolerations", [GPU_TOLERATION]),)
    assert str(finding) == (
        "tolerations: The pod does not tolerate the taint nvidia.com/gpu=present:NoSchedule of "
        "nodes that offer nvidia.com/gpu. Add the toleration to spec.tolerations."
    )


def test_a_toleration_is_appended_to_those_there_are() -> None:
    (finding,) = found(RULE, gpu_pod(tolerations=[OTHER]))
    assert finding.fix == (Operation("add", "/spec/tolerations/-", GPU_TOLERATION),)


@pytest.mark.parametrize(
    "toleration",
    [
        {"operator": "Exists"},
        {"key": "nvidia.com/gpu", "operator": "Exists"},
        {"key": "nvidia.com/gpu", "value": "present", "effect": ""},
        GPU_TOLERATION,
    ],
)
def test_a_toleration_that_is_there_is_honoured(toleration: Any) -> None:
    assert found(RULE, gpu_pod(tolerations=[OTHER, toleration])) == []


@pytest.mark.parametrize(
    ("namespace", "annotations", "spec"),
    [
        ("spot", {}, {}),
        ("plain", {"gpuplane.io/purchase": "spot"}, {}),
        ("plain", {}, {"nodeSelector": {"gpuplane.io/purchase": "spot"}}),
    ],
)
def test_spot_is_tolerated_where_team_or_pod_opts_in(
    namespace: str, annotations: Any, spec: Any
) -> None:
    pod = gpu_pod(**spec)
    pod["metadata"]["annotations"] = annotations
    (finding,) = found(RULE, pod, namespace)
    assert finding.fix == (
        Operation("add", "/spec/tolerations", [GPU_TOLERATION, SPOT_TOLERATION]),
    )


def test_only_pools_that_meet_the_node_selector_count() -> None:
    (finding,) = found(RULE, gpu_pod(nodeSelector={"gpuplane.io/pool": "h100"}), "spot")
    assert finding.fix == (Operation("add", "/spec/tolerations", [GPU_TOLERATION]),)


@pytest.mark.parametrize(
    "resource", ["nvidia.com/mig-7g.80gb", "amd.com/gpu", "example.com/fpga", "cpu"]
)
def test_nothing_is_tolerated_for_what_no_pool_offers(resource: str) -> None:
    assert found(RULE, gpu_pod({"resources": {"limits": {resource: 1}}})) == []


SPOT_ONLY = {"nodeSelector": {"gpuplane.io/pool": "a100-spot"}}


def test_a_pod_that_can_run_on_spot_nodes_alone_opts_in_or_is_refused() -> None:
    (refusal,) = found(RULE, gpu_pod(**SPOT_ONLY))
    assert refusal.severity is Severity.REFUSE
    assert str(refusal) == (
        "tolerations: The pod can run on spot nodes only, those of a100-spot, and does not opt in "
        "to them. Add gpuplane.io/purchase: spot to metadata.annotations, if it may be interrupted."
    )
    granted = found(RULE, gpu_pod(**SPOT_ONLY), "granted")
    assert [str(finding) for finding in granted] == [str(refusal)]
    assert found(RULE, gpu_pod(**SPOT_ONLY, tolerations=[GPU_TOLERATION, SPOT_TOLERATION])) == []
    (fix,) = found(RULE, gpu_pod(**SPOT_ONLY), "spot")
    assert fix.severity is Severity.FIX


def test_of_spot_nodes_that_the_namespace_may_not_use_another_rule_speaks() -> None:
    settings = replace(SETTINGS.namespaces["granted"], pools=("t4",))
    namespaces = {"granted": settings}
    assert found(RULE, gpu_pod(**SPOT_ONLY), "granted", namespaces=namespaces) == []
