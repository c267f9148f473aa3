"""Pools of more nodes than the status of their NodeReadinessRules has room for."""

import pytest

from charts_py.components.gpu_health import quarantine_rules
from charts_py.components.node_readiness.definition import node_readiness_rule
from charts_py.components.node_readiness.rule_status import most_nodes
from charts_py.components.registry import component_warnings
from tests.charts_py.fixture_types import PlatformWith

NODES = "nodes: {min: 1000, max: 1000}"


@pytest.mark.parametrize(("nodes", "is_told"), [(3000, False), (4000, True)])
def test_a_pool_of_more_nodes_is_told(
    platform_after: PlatformWith, nodes: int, is_told: bool
) -> None:
    platform = platform_after("large", (NODES, f"nodes: {{min: {nodes}, max: {nodes}}}"))
    found = [str(each.problem) for each in component_warnings(platform)]
    told = (
        "pools.h100.nodes.max: the status of NodeReadinessRule gpu-health-quarantine-h100 has room "
        "for 3387 nodes, and its controller fails on each beyond; allowed: at most 3387, and "
        "further pools for the others"
    )
    assert [line for line in found if line.startswith("pools.h100.nodes")] == [told] * is_told


def test_fewer_conditions_leave_room_for_more_nodes(platform_after: PlatformWith) -> None:
    platform = platform_after("large")
    (unhealthy,) = quarantine_rules(platform)
    assert (most_nodes(unhealthy), most_nodes(node_readiness_rule(platform.pools[0]))) == (
        3387,
        4890,
    )
