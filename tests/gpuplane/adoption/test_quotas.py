"""Quotas of resources, dealt to pools."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from gpuplane.adoption.found_object import FoundObject
from gpuplane.adoption.quotas import PoolOffer, ResourceBound, dealt_quotas, found_quota, split
from tests.rows import rows_beside

each_row = rows_beside(__file__, "quotas.yaml")

GPU = "nvidia.com/gpu"
OFFERS = (
    PoolOffer("large", frozenset({GPU}), 30),
    PoolOffer("small", frozenset({GPU}), 10),
    PoolOffer("mig", frozenset({"nvidia.com/mig-1g.10gb", "nvidia.com/mig-2g.20gb"}), 8),
)


def test_what_one_pool_offers_is_its_own() -> None:
    bounds = [
        ResourceBound("a", "nvidia.com/mig-1g.10gb", 4),
        ResourceBound("a", "nvidia.com/mig-2g.20gb", 2),
        ResourceBound("b", GPU, 10, frozenset({"small"})),
    ]
    dealt = dealt_quotas(bounds, OFFERS)
    assert {name: (quota.gpus, quota.notes) for name, quota in dealt.items()} == {
        "a": ({"mig": 6}, []),
        "b": ({"small": 10}, []),
    }


def test_what_several_offer_is_dealt_by_the_room_that_is_left() -> None:
    bounds = [ResourceBound("a", GPU, 20), ResourceBound("b", GPU, 10, frozenset({"small"}))]
    dealt = dealt_quotas(bounds, OFFERS)
    note = f"20 of {GPU} hold for large, small together; "
    note += "they are dealt by size, and Kubernetes counts the sum"
    assert (dealt["a"].gpus, dealt["a"].notes) == ({"large": 20}, [note])


def test_what_no_pool_offers_is_told() -> None:
    dealt = dealt_quotas([ResourceBound("a", "amd.com/gpu", 8)], OFFERS)
    lost = "not carried over: 8 of amd.com/gpu, which no pool offers"
    assert (dealt["a"].gpus, dealt["a"].notes) == ({}, [lost])


@each_row("splits")
def test_a_count_is_split_by_room(count: int, room: dict[str, int], parts: dict[str, int]) -> None:
    assert split(count, room) == parts


@given(st.data(), st.dictionaries(st.sampled_from("abcd"), st.integers(0, 500), min_size=1))
def test_what_fits_fits_in_parts(data: st.DataObject, room: dict[str, int]) -> None:
    count = data.draw(st.integers(0, sum(room.values())))
    parts = split(count, room)
    assert sum(parts.values()) == count
    assert all(part <= room[pool] for pool, part in parts.items())


def _quota(name: str, hard: dict[str, str], **more: Any) -> FoundObject:
    metadata = {"name": name, "namespace": "a"}
    document = {"kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard, **more}}
    return FoundObject(document, "the cluster")


def _of_priorities(operator: str) -> dict[str, Any]:
    one = {"scopeName": "PriorityClass", "operator": operator, "values": ["training"]}
    return {"matchExpressions": [one]}


SCOPED = "not carried over: ResourceQuota a/b, which counts pods of a scope alone"


@pytest.mark.parametrize(
    ("quota", "priorities", "notes"),
    [
        (_quota("b", {"pods": "0"}, scopeSelector=_of_priorities("NotIn")), ("training",), ()),
        (_quota("b", {"pods": "0"}, scopeSelector=_of_priorities("In")), None, (SCOPED,)),
        (_quota("b", {"pods": "1"}, scopeSelector=_of_priorities("NotIn")), None, (SCOPED,)),
        (_quota("b", {"pods": "5"}, scopes=["BestEffort"]), None, (SCOPED,)),
        (_quota("b", {"cpu": "9"}), None, ()),
        (
            _quota("b", {"pods": "9"}),
            None,
            ("not carried over: pods 9 of ResourceQuota a/b; another bounds it too",),
        ),
    ],
)
def test_quotas_of_a_namespace_are_one_and_of_scopes_those_of_priorities_alone(
    quota: FoundObject, priorities: tuple[str, ...] | None, notes: tuple[str, ...]
) -> None:
    found = found_quota([_quota("a", {"pods": "8"}), quota])
    own = {} if priorities or SCOPED in notes else quota.spec["hard"]
    assert found.hard == {**own, "pods": "8"}
    assert (found.priorities, found.notes) == (priorities, notes)
