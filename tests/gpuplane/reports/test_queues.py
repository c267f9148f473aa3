"""Who has how much of each pool."""

import pytest

from charts_py.cluster_file.queues import Queues
from charts_py.platform import queue_quota
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.queue_quota import PoolQuotas, pool_quotas
from gpuplane.reports import queues
from gpuplane.reports.queues import (
    ClusterQueues,
    NamespaceLine,
    PoolLine,
    namespace_lines,
    pool_lines,
    queues_notes,
)
from tests.charts_py.fixture_types import PlatformWith

GPU = "nvidia.com/gpu"


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    return platform_after("queues")


def test_a_pool_has_what_all_its_nodes_offer_of_each_resource(platform: Platform) -> None:
    lines = tuple(pool_lines(platform))
    assert lines == (
        PoolLine("a100-mixed", "nvidia.com/mig-1g.5gb", nodes=2, per_node=16, promised=8),
        PoolLine("a100-mixed", "nvidia.com/mig-2g.10gb", nodes=2, per_node=8, promised=4),
        PoolLine("a100-mixed", "nvidia.com/mig-3g.20gb", nodes=2, per_node=8, promised=4),
        PoolLine("h100", GPU, nodes=4, per_node=8, promised=24),
        PoolLine("h100-spot", GPU, nodes=2, per_node=8, promised=12),
    )
    of_lines = [(line.capacity, line.unassigned) for line in lines]
    assert of_lines == [(32, 24), (16, 12), (16, 12), (32, 8), (16, 4)]


def test_nodes_of_slurm_are_no_part_of_a_pool(platform_after: PlatformWith) -> None:
    lines = tuple(pool_lines(platform_after("slurm")))
    assert lines == (
        PoolLine("a10g", GPU, nodes=1, per_node=4, promised=4),
        PoolLine("h100", GPU, nodes=2, per_node=8, promised=16),
        PoolLine("l4-sliced", "nvidia.com/gpu.shared", nodes=2, per_node=8, promised=0),
    )


def test_spare_nodes_are_no_part_of_a_pool(platform_after: PlatformWith) -> None:
    change = ("nodes: {min: 2, max: 4}", "nodes: {min: 4, max: 4, spare: 1}")
    (h100,) = pool_lines(platform_after("operators", change))
    assert h100 == PoolLine("h100", GPU, nodes=3, per_node=8, promised=16)


def test_a_namespace_reaches_its_own_and_what_others_lend(platform: Platform) -> None:
    lines = [line for line in namespace_lines(platform) if line.resource == GPU]
    assert lines == [
        NamespaceLine("h100", GPU, "research", "research-training", own=16, borrowed=8, lent=0),
        NamespaceLine("h100", GPU, "serving", "serving", own=8, borrowed=0, lent=8),
        NamespaceLine("h100-spot", GPU, "research", "research-batch", own=4, borrowed=8, lent=4),
        NamespaceLine("h100-spot", GPU, "research", "research-training", own=8, borrowed=4, lent=8),
    ]
    assert [line.reach for line in lines] == [24, 8, 12, 12]


def test_the_quotas_of_a_pool_are_read_once_for_all_its_namespaces(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def counted(of: Platform, pool: PlatformPool) -> PoolQuotas:
        asked.append(pool.name)
        return pool_quotas(of, pool)

    for module in (queues, queue_quota):
        monkeypatch.setattr(module, "pool_quotas", counted)
    assert tuple(namespace_lines(platform))
    assert asked == [pool.name for pool in platform.pools]


def _line(promised: int) -> PoolLine:
    return PoolLine("h100", "nvidia.com/gpu", nodes=2, per_node=8, promised=promised)


def test_what_nobody_has_is_named_with_its_pool() -> None:
    clusters = (
        ClusterQueues("lab", None, (_line(16),), ()),
        ClusterQueues("training", Queues(), (_line(12),), ()),
    )
    _, *notes = queues_notes(clusters)
    assert notes == [
        "lab: no queues, so that a pod beyond the quota is refused.",
        "training: in nobody's quota, and so used by nobody: 4 nvidia.com/gpu of h100.",
    ]


@pytest.mark.parametrize(("queues", "are_told"), [(None, True), (Queues(), False)])
def test_without_queues_a_quota_counts_all_pools_together(
    queues: Queues | None, are_told: bool
) -> None:
    namespaces = tuple(
        NamespaceLine(pool, GPU, "search", name, own=8, borrowed=0, lent=0)
        for pool, name in (("a100", "search"), ("a100", "batch"), ("l4", "search"))
    )
    _, *notes = queues_notes((ClusterQueues("lab", queues, (), namespaces),))
    told = (
        "lab: a quota counts a resource on all pools together, so that a namespace may use more "
        "than its own of one pool, and others then get less there: search has nvidia.com/gpu on "
        "a100, l4."
    )
    assert (told in notes) is are_told
