from __future__ import annotations

from typing import Any

import pytest

from gpus.taint import Taint
from policies.offer import Candidates, Offer
from policies.pod import Pod
from policies.settings import OfferedResource, PoolSettings

GPU = "nvidia.com/gpu"
HARD = Taint(GPU, "present", "NoSchedule")
SOFT = Taint("quiet", "yes", "PreferNoSchedule")
SPOT = Taint("gpuplane.io/purchase", "spot", "NoSchedule")


def _pool(name: str, purchase: str, *taints: Taint, others: tuple[str, ...] = ()) -> PoolSettings:
    return PoolSettings(
        name,
        "nvidia",
        tuple(OfferedResource(resource, 8) for resource in (GPU, *others)),
        cpu=1,
        memory=1,
        labels={"pool": name, "gpuplane.io/purchase": purchase},
        taints=taints,
    )


RESERVED = _pool("reserved", "reserved", HARD, SOFT)
BOUGHT_AS_SPOT = _pool("spot", "spot", HARD, SPOT, others=("nvidia.com/mig-1g.5gb",))
OFFER = Offer((RESERVED, BOUGHT_AS_SPOT))
BOTH = Candidates((RESERVED, BOUGHT_AS_SPOT), (HARD,), (HARD, SPOT))
ONLY_SPOT = Candidates((BOUGHT_AS_SPOT,), (), (HARD, SPOT))


@pytest.mark.parametrize(
    ("limits", "selector", "candidates"),
    [
        ({GPU: 1}, {}, BOTH),
        ({GPU: 1}, {"zone": "a"}, BOTH),
        ({GPU: 1}, {"pool": "reserved"}, Candidates((RESERVED,), (HARD,), (HARD,))),
        ({GPU: 1}, {"pool": "spot", "zone": "a"}, ONLY_SPOT),
        ({GPU: 1}, {"pool": "elsewhere"}, Candidates()),
        ({GPU: 1}, {"pool": ["reserved"]}, Candidates()),
        ({GPU: 1, "nvidia.com/mig-1g.5gb": 1}, {}, ONLY_SPOT),
        ({GPU: 1, "nvidia.com/mig-7g.80gb": 1}, {}, Candidates()),
        ({}, {}, Candidates()),
    ],
)
def test_a_pod_can_run_on_pools_that_offer_all_of_it_and_meet_its_node_selector(
    limits: Any, selector: Any, candidates: Candidates
) -> None:
    containers = [{"resources": {"limits": limits}}]
    pod = Pod({"spec": {"containers": containers, "nodeSelector": selector}}, OFFER.is_gpu)
    assert OFFER.candidates(pod) == candidates


def test_a_toleration_of_a_taint_that_keeps_pods_off_has_one_of_these_keys() -> None:
    assert OFFER.tolerating_keys == ("", None, "gpuplane.io/purchase", "nvidia.com/gpu")
