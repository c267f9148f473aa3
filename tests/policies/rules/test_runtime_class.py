from __future__ import annotations

from collections.abc import Callable

from policies.document import Document
from policies.finding import Finding
from policies.operation import Operation
from policies.rules.runtime_class import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def test_the_class_is_set_where_the_platform_needs_one(found: Found, gpu_pod: MakePod) -> None:
    (finding,) = found(RULE, gpu_pod(), runtime_class="nvidia")
    assert finding.fix == (Operation("add", "/spec/runtimeClassName", "nvidia"),)


def test_another_class_stays(found: Found, gpu_pod: MakePod) -> None:
    assert found(RULE, gpu_pod(runtimeClassName="kata"), runtime_class="nvidia") == []
    assert found(RULE, gpu_pod(), runtime_class=None) == []


def test_gpus_of_other_vendors_need_no_class(found: Found, gpu_pod: MakePod) -> None:
    pod = gpu_pod({"resources": {"limits": {"amd.com/gpu": "1"}}})
    assert found(RULE, pod, runtime_class="nvidia") == []
