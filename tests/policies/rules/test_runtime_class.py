from policies.operation import Operation
from policies.rules.runtime_class import RULE
from tests.policies.conftest import found, gpu_pod


def test_the_class_is_set_where_the_platform_needs_one() -> None:
    (finding,) = found(RULE, gpu_pod(), runtime_class="nvidia")
    assert finding.fix == (Operation("add", "/spec/runtimeClassName", "nvidia"),)


def test_another_class_stays() -> None:
    assert found(RULE, gpu_pod(runtimeClassName="kata"), runtime_class="nvidia") == []
    assert found(RULE, gpu_pod(), runtime_class=None) == []


def test_gpus_of_other_vendors_need_no_class() -> None:
    pod = gpu_pod({"resources": {"limits": {"amd.com/gpu": "1"}}})
    assert found(RULE, pod, runtime_class="nvidia") == []
