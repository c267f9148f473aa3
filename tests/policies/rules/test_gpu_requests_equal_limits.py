from typing import Any

import pytest

from policies.document import Document
from policies.finding import Severity
from policies.operation import Operation, apply
from policies.rules.gpu_requests_equal_limits import RULE
from policies.settings import UnequalGpus
from tests.policies.conftest import found, gpu_pod

GPU = "nvidia.com/gpu"


def _pod(**resources: Any) -> Document:
    return gpu_pod({"resources": resources})


@pytest.mark.parametrize("limits", [None, {}, {"memory": "1Gi"}])
def test_a_request_without_a_limit_is_copied_to_it(limits: Any) -> None:
    pod = _pod(requests={GPU: "6"}, limits=limits)
    (finding,) = found(RULE, pod)
    apply(pod, finding.fix)
    assert pod["spec"]["containers"][0]["resources"]["limits"] == (limits or {}) | {GPU: "6"}
    assert str(finding) == (
        "gpu-requests-equal-limits: The container train requests 6 of nvidia.com/gpu without a "
        "limit. Set spec.containers[0].resources.limits to the same amount."
    )


def test_two_resources_of_one_container_are_copied_together() -> None:
    requests = {GPU: 1, "nvidia.com/mig-1g.10gb": 2}
    pod = _pod(requests=requests)
    (finding,) = found(RULE, pod)
    apply(pod, finding.fix)
    assert pod["spec"]["containers"][0]["resources"]["limits"] == requests


def test_a_request_of_zero_needs_a_limit_too() -> None:
    (finding,) = found(RULE, _pod(requests={GPU: 0}))
    assert finding.severity is Severity.FIX


def test_both_and_different_are_refused() -> None:
    (finding,) = found(RULE, _pod(requests={GPU: "6"}, limits={GPU: 8}))
    assert (finding.severity, finding.fix) == (Severity.REFUSE, ())
    assert finding.path == "/spec/containers/0/resources/requests/nvidia.com~1gpu"
    assert finding.message == (
        "The container train requests 6 of nvidia.com/gpu but limits it to 8; "
        "the two must be equal."
    )


def test_both_and_different_follow_the_limit_where_settings_say_so() -> None:
    pod = _pod(requests={GPU: "6"}, limits={GPU: 8})
    (finding,) = found(RULE, pod, unequal_gpus=UnequalGpus.USE_LIMITS)
    assert finding.fix == (
        Operation("add", "/spec/containers/0/resources/requests/nvidia.com~1gpu", 8),
    )


@pytest.mark.parametrize(
    "resources",
    [
        {"limits": {GPU: 1}},
        {"limits": {GPU: 1}, "requests": {GPU: "1"}},
        {"limits": {GPU: "1"}, "requests": {GPU: "1000m"}},
        {"limits": {"cpu": 2}, "requests": {"cpu": 1}},
        {"requests": {"example.com/fpga": 1}},
        {"requests": {GPU: "malformed"}},
    ],
)
def test_resources_are_left_alone(resources: Any) -> None:
    assert found(RULE, _pod(**resources)) == []
