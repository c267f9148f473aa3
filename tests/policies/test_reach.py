import json
from typing import Any

import pytest
from msgspec.structs import replace

from gpus.sharing import SharingKind
from gpus.taint import Taint
from policies.gpu_names import GpuNames
from policies.node_terms import read_selector
from policies.pod import Pod
from policies.reach import Offer, holds
from policies.settings import OfferedResource, PoolSettings
from tests.policies.conftest import affinity

GPU = "nvidia.com/gpu"


@pytest.mark.parametrize(
    ("sharing", "amounts", "holds_it"),
    [
        (SharingKind.NONE, [8], True),
        (SharingKind.NONE, [9], False),
        (SharingKind.NONE, [4, 5], False),
        (SharingKind.TIME_SLICING, [1, 1], True),
        (SharingKind.TIME_SLICING, [2], False),
        (SharingKind.MPS, [2], False),
        (SharingKind.MIG_TIME_SLICING, [1, 1], True),
        (SharingKind.MIG_TIME_SLICING, [2], False),
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
        labels={"gpuplane.io/pool": name, "gpuplane.io/purchase": purchase},
        taints=taints,
    )


RESERVED = _pool("reserved", "reserved", HARD, SOFT)
BOUGHT_AS_SPOT = _pool("spot", "spot", HARD, SPOT, others=("nvidia.com/mig-1g.5gb",))
OFFER = Offer((RESERVED, BOUGHT_AS_SPOT))
MIG = "nvidia.com/mig-1g.5gb"


def _pod(limits: Any, **spec: Any) -> Pod:
    containers = [{"resources": {"limits": limits}}]
    return Pod({"spec": {"containers": containers, **spec}}, OFFER.names.is_gpu)


def _purchase(operator: str, *values: str) -> Any:
    expression = {"key": "gpuplane.io/purchase", "operator": operator, "values": list(values)}
    return {"matchExpressions": [expression]}


@pytest.mark.parametrize(
    ("limits", "selector", "pools", "selected"),
    [
        ({GPU: 1}, {}, [RESERVED, BOUGHT_AS_SPOT], [RESERVED, BOUGHT_AS_SPOT]),
        ({GPU: 1}, {"zone": "a"}, [RESERVED, BOUGHT_AS_SPOT], [RESERVED, BOUGHT_AS_SPOT]),
        ({GPU: 1}, {"gpuplane.io/pool": "reserved"}, [RESERVED], [RESERVED]),
        ({GPU: 1}, {"gpuplane.io/pool": "spot", "zone": "a"}, [BOUGHT_AS_SPOT], [BOUGHT_AS_SPOT]),
        ({GPU: 1}, {"gpuplane.io/pool": "elsewhere"}, [], []),
        ({GPU: 1}, {"gpuplane.io/pool": ["reserved"]}, [], []),
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
        ([_purchase("In", "spot")] * 64, [BOUGHT_AS_SPOT]),
    ],
)
def test_a_pod_can_run_on_pools_that_meet_one_of_its_terms(terms: Any, pools: Any) -> None:
    assert list(OFFER.reach(_pod({GPU: 1}, affinity=affinity(*terms))).pools) == pools


def test_node_selector_and_affinity_are_met_together() -> None:
    required = affinity(_purchase("In", "spot"))
    reach = OFFER.reach(
        _pod({GPU: 1}, nodeSelector={"gpuplane.io/pool": "reserved"}, affinity=required)
    )
    assert reach.pools == ()


@pytest.mark.parametrize(
    ("selector", "taints"),
    [
        ({}, ((HARD,), (HARD, SPOT))),
        ({"gpuplane.io/pool": "reserved"}, ((HARD,), (HARD,))),
        ({"gpuplane.io/pool": "spot"}, ((), (HARD, SPOT))),
    ],
)
def test_the_taints_of_the_pools_are_known_with_and_without_those_of_spot(
    selector: Any, taints: Any
) -> None:
    reach = OFFER.reach(_pod({GPU: 1}, nodeSelector=selector))
    assert (reach.taints, reach.taints_with_spot) == taints


@pytest.mark.parametrize(
    ("selector", "most"), [({}, 8), ({"gpuplane.io/pool": "spot"}, 4), ({"pool": "elsewhere"}, 8)]
)
def test_a_resource_is_offered_by_the_pools_that_are_reached_or_else_by_all(
    selector: Any, most: int
) -> None:
    fewer = replace(BOUGHT_AS_SPOT, resources=(OfferedResource(GPU, 4),))
    reach = Offer((RESERVED, fewer)).reach(_pod({GPU: 1}, nodeSelector=selector))
    assert {name: offered.max_per_node for name, offered in reach.offered.items()} == {GPU: most}


def test_a_toleration_of_a_taint_that_keeps_pods_off_has_one_of_these_keys() -> None:
    assert OFFER.tolerating_keys == ("", None, "gpuplane.io/purchase", "nvidia.com/gpu")


def _reaches(offer: Offer, values: list[str]) -> bool:
    """Whether the reach of a pod that names these values is kept."""
    pod = _pod({GPU: 1}, affinity=affinity(_purchase("In", *values)))
    return offer.reach(pod) is offer.reach(pod)


@pytest.mark.parametrize(("count", "kept"), [(9, True), (90, False)])
def test_a_reach_is_kept_unless_the_pod_names_many_values(count: int, kept: bool) -> None:
    names = [f"purchase-{number}" for number in range(count)]
    offer = Offer(tuple(_pool(name, name) for name in names))
    assert _reaches(offer, names) is kept


def test_no_string_of_a_pod_is_kept_that_pools_have() -> None:
    labels = {"gpuplane.io/purchase": {"spot"}}
    selectors = [json.loads('{"gpuplane.io/purchase": "spot"}') for _ in range(2)]
    (one,), (other,) = (read_selector(selector, labels) for selector in selectors)
    assert one[0] is other[0]
    assert one[2][0] is other[2][0]
