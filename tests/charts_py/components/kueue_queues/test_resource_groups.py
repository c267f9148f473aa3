"""How pools are grouped for Kueue."""

from __future__ import annotations

from hypothesis import given, strategies as st

from charts_py.components.kueue_queues.resource_groups import resource_groups
from charts_py.platform.queue_quota import QueueQuota

RESOURCES = ("a", "b", "c", "d")
pools = st.dictionaries(
    st.sampled_from([f"pool-{number}" for number in range(6)]),
    st.dictionaries(
        st.sampled_from(RESOURCES),
        st.integers(0, 100).map(QueueQuota),
        min_size=1,
    ),
    min_size=1,
)


def test_pools_with_a_resource_between_them_are_one_group() -> None:
    quotas = {
        "first": {"a": QueueQuota(1)},
        "second": {"c": QueueQuota(2)},
        "between": {"a": QueueQuota(3), "c": QueueQuota(4)},
        "other": {"b": QueueQuota(5)},
    }
    assert [
        (group["coveredResources"], [flavor["name"] for flavor in group["flavors"]])
        for group in resource_groups(quotas, is_bounded=True)
    ] == [(["a", "c"], ["first", "second", "between"]), (["b"], ["other"])]


def test_a_pool_neither_has_nor_borrows_what_only_others_of_its_group_offer() -> None:
    quotas = {"first": {"a": QueueQuota(1)}, "both": {"a": QueueQuota(3), "c": QueueQuota(4)}}
    (group,) = resource_groups(quotas, is_bounded=True)
    assert group["flavors"][0]["resources"] == [
        {"name": "a", "nominalQuota": "1"},
        {"name": "c", "nominalQuota": "0", "borrowingLimit": "0"},
    ]


@given(pools)
def test_a_resource_and_a_pool_are_in_one_group_whose_flavors_all_cover_the_same(
    quotas: dict[str, dict[str, QueueQuota]],
) -> None:
    groups = resource_groups(quotas, is_bounded=True)
    covered = [resource for group in groups for resource in group["coveredResources"]]
    named = [flavor["name"] for group in groups for flavor in group["flavors"]]
    assert sorted(covered) == sorted({r for resources in quotas.values() for r in resources})
    assert sorted(named) == sorted(quotas)
    for group in groups:
        for flavor in group["flavors"]:
            assert [each["name"] for each in flavor["resources"]] == group["coveredResources"]
            stated = {each["name"]: int(each["nominalQuota"]) for each in flavor["resources"]}
            own = {name: quota.nominal for name, quota in quotas[flavor["name"]].items()}
            assert stated == dict.fromkeys(group["coveredResources"], 0) | own
