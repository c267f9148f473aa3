from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from gpus.sharing import SharingKind
from gpus.taint import Taint
from policies.apply import apply
from policies.offer import Offer, holds
from policies.operation import Operation
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
MIG = "nvidia.com/mig-1g.5gb"


def _pod(limits: Any, **spec: Any) -> Pod:
    containers = [{"resources": {"limits": limits}}]
    return Pod({"spec": {"containers": containers, **spec}}, OFFER.is_gpu)


def _affinity(*terms: Any) -> Any:
    required = {"nodeSelectorTerms": list(terms)}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def _purchase(operator: str, *values: str) -> Any:
    expression = {"key": "gpuplane.io/purchase", "operator": operator, "values": list(values)}
    return {"matchExpressions": [expression]}


@pytest.mark.parametrize(
    ("limits", "selector", "pools", "selected"),
    [
        ({GPU: 1}, {}, [RESERVED, BOUGHT_AS_SPOT], [RESERVED, BOUGHT_AS_SPOT]),
        ({GPU: 1}, {"zone": "a"}, [RESERVED, BOUGHT_AS_SPOT], [RESERVED, BOUGHT_AS_SPOT]),
        ({GPU: 1}, {"pool": "reserved"}, [RESERVED], [RESERVED]),
        ({GPU: 1}, {"pool": "spot", "zone": "a"}, [BOUGHT_AS_SPOT], [BOUGHT_AS_SPOT]),
        ({GPU: 1}, {"pool": "elsewhere"}, [], []),
        ({GPU: 1}, {"pool": ["reserved"]}, [], []),
        ({GPU: 1}, {"gpuplane.io/nvlink": "true"}, [], []),
        ({GPU: 1, MIG: 1}, {}, [BOUGHT_AS_SPOT], [RESERVED, BOUGHT_AS_SPOT]),
        ({GPU: 1, "nvidia.com/mig-7g.80gb": 1}, {}, [], [RESERVED, BOUGHT_AS_SPOT]),
        ({}, {}, [], [RESERVED, BOUGHT_AS_SPOT]),
    ],
)
def test_a_pod_can_run_on_pools_that_offer_all_of_it_and_meet_its_node_selector(
    limits: Any, selector: Any, pools: Any, selected: Any
) -> None:
    reach = OFFER.reach(_pod(limits, nodeSelector=selector))
    assert (list(reach.pools), list(reach.selected)) == (pools, selected)


@pytest.mark.parametrize(
    ("terms", "pools"),
    [
        ([_purchase("In", "spot")], [BOUGHT_AS_SPOT]),
        ([_purchase("NotIn", "spot")], [RESERVED]),
        ([_purchase("In", "spot"), _purchase("In", "reserved")], [RESERVED, BOUGHT_AS_SPOT]),
        ([_purchase("Exists")], [RESERVED, BOUGHT_AS_SPOT]),
        ([_purchase("DoesNotExist"), {}, "malformed"], []),
        ([_purchase("In", "spot")] * 99, [BOUGHT_AS_SPOT]),
    ],
)
def test_a_pod_can_run_on_pools_that_meet_one_of_its_terms(terms: Any, pools: Any) -> None:
    assert list(OFFER.reach(_pod({GPU: 1}, affinity=_affinity(*terms))).pools) == pools


def test_node_selector_and_affinity_are_met_together() -> None:
    affinity = _affinity(_purchase("In", "spot"))
    reach = OFFER.reach(_pod({GPU: 1}, nodeSelector={"pool": "reserved"}, affinity=affinity))
    assert reach.pools == ()


@pytest.mark.parametrize(
    ("selector", "taints"),
    [
        ({}, ((HARD,), (HARD, SPOT))),
        ({"pool": "reserved"}, ((HARD,), (HARD,))),
        ({"pool": "spot"}, ((), (HARD, SPOT))),
    ],
)
def test_the_taints_of_the_pools_are_known_with_and_without_those_of_spot(
    selector: Any, taints: Any
) -> None:
    reach = OFFER.reach(_pod({GPU: 1}, nodeSelector=selector))
    assert (reach.taints, reach.taints_with_spot) == taints


def test_the_reach_of_a_changed_pod_is_found_again() -> None:
    pod = _pod({GPU: 1})
    assert OFFER.reach(pod).pools == (RESERVED, BOUGHT_AS_SPOT)
    operation = Operation("add", "/spec/nodeSelector", {"pool": "spot"})
    apply(pod.document, [operation])
    pod.changed([operation])
    assert OFFER.reach(pod).pools == (BOUGHT_AS_SPOT,)


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
    pool = replace(RESERVED, resources=(OfferedResource(GPU, 8, sharing),))
    containers = [{"resources": {"limits": {GPU: amount}}} for amount in amounts]
    assert holds(pool, Pod({"spec": {"containers": containers}}, OFFER.is_gpu)) is holds_it


def test_a_toleration_of_a_taint_that_keeps_pods_off_has_one_of_these_keys() -> None:
    assert OFFER.tolerating_keys == ("", None, "gpuplane.io/purchase", "nvidia.com/gpu")
