"""Values of Node Feature Discovery."""

import pytest

from charts_py.components.node_feature_discovery import (
    NODE_FEATURE_DISCOVERY,
    node_feature_discovery_values,
)
from tests.charts_py.fixture_types import Load, PlatformWith
from tests.charts_py.managed import tolerates


def test_on_premises_it_taints_nodes_and_runs_on_those_of_every_vendor(example: Load) -> None:
    burn_in = tolerates("readiness.k8s.io/gpu-burn-in", "true")
    vendors = [tolerates("amd.com/gpu"), tolerates("nvidia.com/gpu")]
    assert node_feature_discovery_values(example("onprem")) == {
        "worker": {"tolerations": [*vendors, burn_in]},
        "master": {"enableTaints": True},
    }


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed"])
def test_in_a_cloud_the_node_pools_taint_and_it_does_not(cluster: str, example: Load) -> None:
    assert list(node_feature_discovery_values(example(cluster))) == ["worker"]


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_it_is_no_release_of_its_own_where_an_operator_brings_it(
    cluster: str, example: Load
) -> None:
    assert list(NODE_FEATURE_DISCOVERY.plan(example(cluster))) == []


def test_it_is_a_release_of_its_own_for_machines_without_an_operator(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("intel")
    (component,) = NODE_FEATURE_DISCOVERY.plan(platform)
    assert component.helm is not None
    assert component.helm.values == node_feature_discovery_values(platform)
