"""Which nodes are of a flavor."""

from collections.abc import Mapping

import pytest
from hypothesis import given, strategies as st

from charts_py.components.kueue.quotas import quantity, resource_flavor, resource_groups
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.queue_quota import QueueQuota
from tests.charts_py.fixture_types import PlatformWith


def _nodes_of(pool: PlatformPool, platform: Platform) -> list[str]:
    """Return the pools whose nodes have all labels of the flavor of a pool."""
    wanted = resource_flavor(pool)["spec"]["nodeLabels"].items()
    return [each.name for each in platform.pools if wanted <= each.facts.labels.items()]


def test_a_node_is_of_the_flavor_of_its_pool_and_of_no_other(
    platforms: Mapping[str, Platform],
) -> None:
    found = {
        (name, pool.name): _nodes_of(pool, platform)
        for name, platform in platforms.items()
        for pool in platform.pools
    }
    assert found == {(name, pool): [pool] for name, pool in found}


@pytest.mark.parametrize(
    ("count", "written"),
    [
        (0, "0"),
        (8, "8"),
        (1000, "1k"),
        (1024, "1024"),
        (1500, "1500"),
        (12_000, "12k"),
        (10**9, "1G"),
        (10**18, "1E"),
        (10**21, "1000E"),
    ],
)
def test_a_number_is_written_as_kubernetes_writes_it_down(count: int, written: str) -> None:
    assert quantity(count) == written


RESOURCES = ("a", "b", "c", "d")
pools = st.dictionaries(
    st.sampled_from([f"pool-{number}" for number in range(6)]),
    st.dictionaries(st.sampled_from(RESOURCES), st.integers(0, 100).map(QueueQuota), min_size=1),
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


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    """Return the platform of the sample whose nodes are queued."""
    return platform_after("gke-queued")
