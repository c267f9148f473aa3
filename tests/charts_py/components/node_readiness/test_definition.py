"""Nodes that wait for their GPUs, as an Application."""

import pytest

from charts_py.components.node_readiness.controller import STARTUP_TAINT
from charts_py.components.node_readiness.definition import NODE_READINESS
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import Load, PlatformWith


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    return platform_after("karpenter")


def test_team_pods_never_tolerate_what_nodes_start_with(platform: Platform) -> None:
    assert {*platform.contribution.startup_taints.values()} == {(STARTUP_TAINT,)}
    assert STARTUP_TAINT not in {taint for pool in platform.pools for taint in pool.facts.taints}


def test_a_node_that_keeps_the_taint_is_heard_of() -> None:
    tainted = 'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-not-ready"}) == 1 '
    parts = [alert.expression.partition(tainted) for alert in NODE_READINESS.rules.alerts()]
    assert [(before, after.split()[0]) for before, _, after in parts] == [
        ("", "and"),
        ("", "unless"),
    ]


def test_it_reads_what_another_namespace_serves(example: Load) -> None:
    (group,) = NODE_READINESS.rules.groups(example("training"))
    assert group.reads_other_namespaces
