from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

import pytest
from hypothesis import given, strategies as st

from charts_py.load import load_platform
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.queue_quota import (
    Borrowed,
    QueueQuota,
    borrowable,
    borrowed_at_most,
    lendable,
    most_allocations,
    namespace_amounts,
    pool_quotas,
    queue_pools,
    queue_quotas,
)
from tests.charts_py.fixture_types import PlatformWith
from tests.conftest import SAMPLES

QUEUES = "queues: {}\n"
SHARE = "    share: 2\n"
LIMITS = ("          lend: {h100: 4}\n", "          borrow: {h100: 0}\n")

CLUSTER = {QUEUES: QUEUES}
TEAM = {QUEUES: "queues: {borrowing: team}\n", SHARE: ""}
NONE = {QUEUES: "queues: {borrowing: none}\n", SHARE: "", **dict.fromkeys(LIMITS, "")}


@pytest.fixture
def platform_with(platform_after: PlatformWith) -> PlatformWith:
    """Return a function from what is replaced in the sample to the platform."""
    return lambda replaced: platform_after("queues", *replaced.items())


def _namespace(platform: Platform, name: str) -> TeamNamespace:
    return next(each for each in platform.namespaces if each.name == name)


def test_a_pool_with_a_quota_of_0_has_no_queue(platform_with: PlatformWith) -> None:
    platform = platform_with(CLUSTER)
    pools = queue_pools(platform, _namespace(platform, "research-batch"))
    assert [pool.name for pool in pools] == ["h100-spot"]


def test_limits_are_those_of_the_file(platform_with: PlatformWith) -> None:
    platform = platform_with(CLUSTER)
    namespace = _namespace(platform, "research-training")
    assert queue_quotas(platform, namespace, platform.pool("h100")) == {
        "nvidia.com/gpu": QueueQuota(16, lending_limit=4)
    }


def test_the_quotas_of_a_pool_are_those_of_each_namespace(platform_with: PlatformWith) -> None:
    platform = platform_with(CLUSTER)
    for pool in platform.pools:
        each = {one.name: queue_quotas(platform, one, pool) for one in platform.namespaces}
        assert pool_quotas(platform, pool) == each


@pytest.mark.parametrize(
    ("queues", "namespace", "pool", "expected"),
    [
        (CLUSTER, "research-training", "h100", 8),
        (CLUSTER, "serving", "h100", 0),
        (CLUSTER, "research-training", "h100-spot", 4),
        (TEAM, "research-training", "h100", 0),
        (TEAM, "research-training", "h100-spot", 4),
        (TEAM, "research-batch", "h100-spot", 8),
        (NONE, "research-batch", "h100-spot", 0),
    ],
    ids=[
        "what the other team lends",
        "no more than its limit",
        "what the other namespace lends",
        "nothing of another team",
        "what its own team lends",
        "all of it, where nothing bounds it",
        "nothing where nobody borrows",
    ],
)
def test_what_may_be_borrowed_is_what_others_lend(
    platform_with: PlatformWith, queues: Mapping[str, str], namespace: str, pool: str, expected: int
) -> None:
    platform = platform_with(queues)
    found = borrowable(platform, _namespace(platform, namespace), platform.pool(pool))
    assert found == {"nvidia.com/gpu": expected}


@pytest.mark.parametrize(
    ("queues", "namespace", "pool", "expected"),
    [
        (CLUSTER, "research-batch", "h100-spot", 4),
        (CLUSTER, "research-training", "h100", 0),
        ({**CLUSTER, LIMITS[1]: "          borrow: {h100: 3}\n"}, "research-training", "h100", 3),
        ({**CLUSTER, LIMITS[1]: ""}, "research-training", "h100", 4),
        (NONE, "research-training", "h100-spot", 0),
    ],
    ids=[
        "all of it, where nothing bounds it",
        "nothing where nobody may borrow it",
        "no more than others may borrow",
        "no more than it lends",
        "nothing where nobody borrows",
    ],
)
def test_what_is_lent_is_what_others_may_borrow(
    platform_with: PlatformWith, queues: Mapping[str, str], namespace: str, pool: str, expected: int
) -> None:
    platform = platform_with(queues)
    found = lendable(platform, _namespace(platform, namespace), platform.pool(pool))
    assert found == {"nvidia.com/gpu": expected}


def test_every_borrowed_gpu_brings_its_part_of_a_node(platform_with: PlatformWith) -> None:
    platform = platform_with(CLUSTER)
    assert borrowed_at_most(platform, _namespace(platform, "research-training")) == Borrowed(
        gpus={"nvidia.com/gpu": 12}, millicpu=12 * 192_000 // 8, memory=12 * 2048 * 2**30 // 8
    )


MIXED = "a100-mixed"
ALLOCATIONS = 32
"""Of the pool, for three namespaces."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What the quota of a namespace states of the pool."""

    gpus: int
    lend: int | None
    borrow: int | None


@st.composite
def stated_quotas(draw: st.DrawFn) -> list[Stated]:
    bounds = sorted(draw(st.lists(st.integers(0, ALLOCATIONS), min_size=3, max_size=3)))
    own = [last - first for first, last in zip([0, *bounds], bounds, strict=False)]
    return [
        Stated(each, draw(st.none() | st.integers(0, each)), draw(st.none() | st.integers(0, 40)))
        for each in own
    ]


@lru_cache
def _sample() -> Platform:
    return load_platform(SAMPLES / "queues.yaml", None)


def _platform(quotas: Iterable[Stated]) -> Platform:
    """Return the sample, whose namespaces have these quotas."""
    platform = _sample()
    teams = dict(platform.cluster.teams)
    for namespace, stated in zip(platform.namespaces, quotas, strict=True):
        limits = {
            name: {} if count is None else {MIXED: count} for name, count in asdict(stated).items()
        }
        quota = namespace.spec.quota.model_copy(update=limits)
        spec = namespace.spec.model_copy(update={"quota": quota})
        namespaces = {**teams[namespace.team_name].namespaces, namespace.name: spec}
        changed = namespace.team.model_copy(update={"namespaces": namespaces})
        teams[namespace.team_name] = changed
    return replace(platform, cluster=platform.cluster.model_copy(update={"teams": teams}))


def test_every_borrowed_instance_brings_the_part_that_its_slices_are() -> None:
    platform = _platform([Stated(1, None, None), Stated(3, None, None), Stated(0, None, None)])
    one, two, three = (each.name for each in platform.pool(MIXED).facts.resources)
    assert borrowed_at_most(platform, _namespace(platform, "research-training")) == Borrowed(
        gpus={one: 1, two: 0, three: 0}, millicpu=96_000 // 56, memory=1152 * 2**30 // 56
    )


@given(stated_quotas())
def test_nothing_lends_more_of_a_resource_than_it_has_or_reaches_more_than_there_is(
    quotas: list[Stated],
) -> None:
    platform = _platform(quotas)
    pool = platform.pool(MIXED)
    capacity = {each.name: pool.spec.nodes.max * each.per_node for each in pool.facts.resources}
    for namespace in platform.namespaces:
        borrowed = borrowable(platform, namespace, pool)
        for resource, quota in queue_quotas(platform, namespace, pool).items():
            assert quota.lent <= quota.nominal
            assert quota.nominal + borrowed[resource] <= capacity[resource]


@pytest.mark.parametrize(
    ("queues", "namespace", "expected"),
    [
        # 16 and 8 of its own, 8 of serving and 4 of research-batch.
        (CLUSTER, "research-training", 36),
        # 16 and 8 of its own, and 4 of the 16 that research-training lends.
        ({**CLUSTER, LIMITS[1]: ""}, "serving", 28),
        ({**CLUSTER, LIMITS[1]: "          borrow: {h100: 3}\n"}, "serving", 27),
        (CLUSTER, "serving", 24),
        (TEAM, "research-training", 28),
        (NONE, "research-training", 24),
    ],
    ids=[
        "all that others lend",
        "no more than others lend",
        "no more than it may borrow",
        "nothing where it may borrow nothing",
        "of its own team alone",
        "its own where nobody borrows",
    ],
)
def test_a_namespace_can_hold_its_own_and_what_it_may_borrow(
    platform_with: PlatformWith, queues: Mapping[str, str], namespace: str, expected: int
) -> None:
    platform = platform_with(queues)
    assert most_allocations(platform, _namespace(platform, namespace)) == expected


@given(stated_quotas())
def test_no_queue_has_more_than_the_most_that_its_namespace_can_hold(quotas: list[Stated]) -> None:
    platform = _platform(quotas)
    for namespace in platform.namespaces:
        reached = sum(each.most for each in namespace_amounts(platform, namespace).values())
        assert reached <= most_allocations(platform, namespace)
