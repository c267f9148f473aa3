from hypothesis import given, strategies as st

from charts_py.platform.gpu_shares import gpu_shares, split
from charts_py.platform.platform import Platform
from charts_py.platform.queue_quota import QueueQuota, pool_quotas
from tests.charts_py.fixture_types import Load

LAYOUTS = st.dictionaries(
    st.sampled_from(("mig-1g.10gb", "mig-1g.20gb", "mig-2g.20gb", "mig-3g.40gb", "mig-4g.40gb")),
    st.integers(1, 56),
    min_size=1,
)

MIXED_POOL = """
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: 1.0.0
gitops: {repository: https://example.com/platform.git}
pools:
  a100:
    gpu: A100-SXM-80
    gpus: 1
    cpu: 32
    memory: 256Gi
    purpose: inference
    nodes: {max: 1}
    sharing:
      mig: {1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}
teams:
  vision:
    owner: vision@example.com
    costCenter: "1"
    members: {users: [vision]}
    priorities: [inference]
    namespaces:
      first: {purpose: inference, quota: {gpus: {a100: 1}, cpu: 1, memory: 1Gi, storage: 1Gi}}
      second: {purpose: inference, quota: {gpus: {a100: 1}, cpu: 1, memory: 1Gi, storage: 1Gi}}
      third: {purpose: inference, quota: {gpus: {a100: 2}, cpu: 1, memory: 1Gi, storage: 1Gi}}
"""


def shares_of(platform: Platform) -> dict[str, dict[str, int]]:
    return {space.name: gpu_shares(platform, space) for space in platform.namespaces}


@given(LAYOUTS, st.integers(0, 5000))
def test_the_parts_add_up_to_the_count(layout: dict[str, int], count: int) -> None:
    assert sum(split(count, layout).values()) == count


@given(LAYOUTS, st.integers(0, 100))
def test_whole_nodes_are_split_as_they_are_laid_out(layout: dict[str, int], nodes: int) -> None:
    count = nodes * sum(layout.values())
    assert dict(split(count, layout)) == {name: nodes * one for name, one in layout.items()}


@given(LAYOUTS, st.integers(0, 5000), st.integers(0, 500))
def test_more_allocations_take_nothing_away(layout: dict[str, int], count: int, more: int) -> None:
    fewer, all_of_them = split(count, layout), split(count + more, layout)
    assert fewer <= all_of_them


@given(LAYOUTS, st.integers(1, 20), st.data())
def test_namespaces_together_never_exceed_what_the_nodes_offer(
    layout: dict[str, int], nodes: int, data: st.DataObject
) -> None:
    capacity = nodes * sum(layout.values())
    bounds = sorted(data.draw(st.lists(st.integers(0, capacity), min_size=1, max_size=6)))
    parts = [
        split(b, layout) - split(a, layout) for a, b in zip([0, *bounds], bounds, strict=False)
    ]
    for name, one in layout.items():
        assert sum(part[name] for part in parts) <= nodes * one


def test_single_allocations_of_a_mixed_layout_are_dealt_out_in_turn(platform_of: Load) -> None:
    one, two, three = "nvidia.com/mig-1g.10gb", "nvidia.com/mig-2g.20gb", "nvidia.com/mig-3g.40gb"
    assert shares_of(platform_of(MIXED_POOL)) == {
        "first": {one: 1, two: 0, three: 0},
        "second": {one: 0, two: 1, three: 0},
        "third": {one: 1, two: 0, three: 1},
    }


def test_queues_have_the_same_parts_of_a_mixed_layout(platform_of: Load) -> None:
    one, two, three = "nvidia.com/mig-1g.10gb", "nvidia.com/mig-2g.20gb", "nvidia.com/mig-3g.40gb"
    limits = "{gpus: {a100: 2}, borrow: {a100: 2}, lend: {a100: 1}"
    platform = platform_of(f"queues: {{}}\n{MIXED_POOL.replace('{gpus: {a100: 2}', limits)}")
    assert pool_quotas(platform, platform.pool("a100")) == {
        "first": {one: QueueQuota(1), two: QueueQuota(0), three: QueueQuota(0)},
        "second": {one: QueueQuota(0), two: QueueQuota(1), three: QueueQuota(0)},
        "third": {
            one: QueueQuota(1, borrowing_limit=1, lending_limit=0),
            two: QueueQuota(0, borrowing_limit=1, lending_limit=0),
            three: QueueQuota(1, borrowing_limit=0, lending_limit=1),
        },
    }


def test_a_mixed_layout_is_shared_in_its_proportions(example: Load) -> None:
    assert shares_of(example("training")) == {
        "recommendations": {
            "nvidia.com/gpu": 32,
            "nvidia.com/gpu.shared": 0,
            "nvidia.com/mig-1g.10gb": 64,
            "nvidia.com/mig-2g.20gb": 32,
            "nvidia.com/mig-3g.40gb": 32,
        },
        "research-notebooks": {
            "nvidia.com/gpu": 0,
            "nvidia.com/gpu.shared": 64,
            "nvidia.com/mig-1g.10gb": 0,
            "nvidia.com/mig-2g.20gb": 0,
            "nvidia.com/mig-3g.40gb": 0,
        },
        "research-training": {
            "nvidia.com/gpu": 96 + 32,
            "nvidia.com/gpu.shared": 0,
            "nvidia.com/mig-1g.10gb": 0,
            "nvidia.com/mig-2g.20gb": 0,
            "nvidia.com/mig-3g.40gb": 0,
        },
    }


def test_pools_that_offer_the_same_resource_on_gke_are_summed(example: Load) -> None:
    assert shares_of(example("inference")) == {
        "assistants": {"nvidia.com/gpu": 112 + 160},
        "search-batch": {"nvidia.com/gpu": 80},
        "search-serving": {"nvidia.com/gpu": 224 + 160},
    }
