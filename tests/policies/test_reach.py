from __future__ import annotations

import pytest

from gpus.sharing import SharingKind
from policies.gpu_names import GpuNames
from policies.pod import Pod
from policies.reach import holds
from policies.settings import OfferedResource, PoolSettings

GPU = "nvidia.com/gpu"


@pytest.mark.parametrize(
    ("sharing", "amounts", "holds_it"),
    [
        (SharingKind.NONE, [8], True),
        (SharingKind.NONE, [9], False),
        (SharingKind.NONE, [4, 5], False),
        (SharingKind.TIME_SLICING, [1, 1], True),
        (SharingKind.TIME_SLICING, [2], False),
        (SharingKind.MIG, [2], True),
    ],
)
def test_a_pool_holds_what_one_node_has_and_one_share_a_container(
    sharing: SharingKind, amounts: list[int], holds_it: bool
) -> None:
    pool = PoolSettings("p", "nvidia", (OfferedResource(GPU, 8, sharing),), cpu=1, memory=1)
    containers = [{"resources": {"limits": {GPU: amount}}} for amount in amounts]
    pod = Pod({"spec": {"containers": containers}}, GpuNames((GPU,)).is_gpu)
    assert holds(pool, pod) is holds_it
