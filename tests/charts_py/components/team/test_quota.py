from dataclasses import replace

from hypothesis import given, strategies as st

from charts_py.cluster_file.quantity import bytes_of
from charts_py.cluster_file.strict_model import MAX_PODS_PER_NODE, MIN_BYTES_OF_HARDWARE
from charts_py.components.team.quota import limit_range, quantity
from tests.charts_py.fixture_types import Load
from tests.charts_py.managed import managed


def test_the_largest_node_is_the_most_and_gpus_have_no_default(example: Load) -> None:
    platform = example("training")
    pools = tuple(platform.pool(name) for name in ("a10g-notebooks", "a100-mixed"))
    assert limit_range("research", pools) == {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": managed("limits", "research"),
        "spec": {
            "limits": [
                {
                    "type": "Container",
                    "default": {"cpu": "96", "memory": "4Gi"},
                    "defaultRequest": {"cpu": "500m", "memory": "4Gi"},
                    "max": {"cpu": "96", "memory": "1152Gi"},
                },
                {"type": "Pod", "max": {"memory": "1152Gi"}},
            ]
        },
    }


def test_the_default_request_is_no_more_than_a_share_of_the_node(example: Load) -> None:
    pool = example("training").pool("h100")
    small = replace(pool, hardware=replace(pool.hardware, cpu=1, memory=2 * 2**30))
    assert small.facts.allocations_per_node == 8
    assert limit_range("research", (pool, small))["spec"]["limits"][0] == {
        "type": "Container",
        "default": {"cpu": "192", "memory": "230Mi"},
        "defaultRequest": {"cpu": "112m", "memory": "230Mi"},
        "max": {"cpu": "192", "memory": "2Ti"},
    }


def test_the_smallest_share_that_a_file_allows_is_still_something(example: Load) -> None:
    pool = example("training").pool("h100")
    hardware = replace(pool.hardware, cpu=1, memory=MIN_BYTES_OF_HARDWARE)
    facts = replace(pool.facts, allocations_per_node=MAX_PODS_PER_NODE)
    least = replace(pool, hardware=hardware, facts=facts)
    assert limit_range("research", (least,))["spec"]["limits"][0] == {
        "type": "Container",
        "default": {"cpu": "1", "memory": "3Mi"},
        "defaultRequest": {"cpu": "3m", "memory": "3Mi"},
        "max": {"cpu": "1", "memory": "1Gi"},
    }


@given(st.integers(1, 2**52))
def test_a_quantity_reads_back_as_the_same_bytes(count: int) -> None:
    assert bytes_of(quantity(count)) == count


def test_a_quantity_has_the_largest_suffix_that_divides() -> None:
    written = [quantity(count) for count in (2**41, 1152 * 2**30, 2000 * 10**6, 1)]
    assert written == ["2Ti", "1152Gi", "1953125Ki", "1"]
