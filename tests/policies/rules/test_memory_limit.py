from policies.rules.memory_limit import RULE
from tests.policies.conftest import found, gpu_pod, message


def test_a_missing_limit_is_warned_about() -> None:
    assert message(found(RULE, gpu_pod())) == (
        "/spec/containers/0/resources/limits The container train asks for a GPU and has no "
        "memory limit. Set spec.containers[0].resources.limits.memory."
    )


def test_a_limit_of_container_or_pod_passes() -> None:
    limits = {"nvidia.com/gpu": 1, "memory": "1Gi"}
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []
    limits = {"nvidia.com/gpu": 1, "memory": "900G1"}
    assert found(RULE, gpu_pod({"resources": {"limits": limits}})) == []
    assert found(RULE, gpu_pod(resources={"limits": {"memory": "1Gi"}})) == []
    assert found(RULE, gpu_pod({"resources": {}})) == []
