import pytest

from charts_py.cluster_file.fault import RenderError
from gpus.taint import Taint
from tests.charts_py.fixture_types import PlatformWith

L4 = "instanceType: g2-standard-4, purpose: batch"


def test_taints_that_the_provider_sets_are_left_to_it(platform_with: PlatformWith) -> None:
    (pool,) = platform_with("gke", f"{{{L4}, nodes: {{max: 1}}, purchase: spot}}").pools
    assert pool.own_taints == (Taint("cloud.google.com/gke-spot", "true", "NoSchedule"),)


@pytest.mark.parametrize(
    ("nodes", "fewest"),
    [("{max: 3}", 0), ("{min: 1, max: 3, warm: 2}", 2), ("{min: 3, max: 3}", 3)],
)
def test_warm_nodes_are_part_of_the_fewest(
    platform_with: PlatformWith, nodes: str, fewest: int
) -> None:
    (pool,) = platform_with("gke", f"{{{L4}, nodes: {nodes}}}").pools
    assert pool.min_nodes == fewest


def test_a_pool_without_an_instance_type_is_an_error(platform_with: PlatformWith) -> None:
    stated = "{gpu: L4, gpus: 1, cpu: 8, memory: 32Gi, purpose: batch, nodes: {max: 1}}"
    (pool,) = platform_with("onprem", stated).pools
    with pytest.raises(RenderError) as caught:
        _ = pool.instance_type
    assert str(caught.value) == "pool pool has no instance type; set instanceType"
