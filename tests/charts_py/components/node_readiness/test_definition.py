"""Nodes that wait for their GPUs, as an Application."""

import pytest

from charts_py.components.node_readiness.controller import NODE_READINESS_CONTROLLER, STARTUP_TAINT
from charts_py.components.node_readiness.definition import NODE_READINESS, node_readiness_rule
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from tests.charts_py.fixture_types import Load, PlatformWith
from tests.charts_py.managed import managed


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    return platform_after("karpenter")


def test_the_rules_come_after_their_controller(platform: Platform) -> None:
    planned = (*NODE_READINESS_CONTROLLER.plan(platform), *NODE_READINESS.plan(platform))
    assert [(each.name, each.wave, each.namespace) for each in planned] == [
        ("node-readiness-controller", Wave.OPERATORS, "node-readiness-controller"),
        ("node-readiness", Wave.NODES, "node-readiness-controller"),
    ]


def test_team_pods_never_tolerate_what_nodes_start_with(platform: Platform) -> None:
    assert {*platform.contribution.startup_taints.values()} == {(STARTUP_TAINT,)}
    assert STARTUP_TAINT not in {taint for pool in platform.pools for taint in pool.facts.taints}


def test_a_rule_takes_the_taint_off_the_nodes_of_a_pool_once(platform_after: PlatformWith) -> None:
    assert node_readiness_rule(platform_after("karpenter").pool("h100")) == {
        "apiVersion": "readiness.node.x-k8s.io/v1alpha1",
        "kind": "NodeReadinessRule",
        "metadata": managed("h100"),
        "spec": {
            "nodeSelector": {"matchLabels": {"gpuplane.io/pool": "h100"}},
            "conditions": [{"type": "gpuplane.io/GpuNotReady", "requiredStatus": "False"}],
            "taint": {
                "key": "readiness.k8s.io/gpu-not-ready",
                "value": "true",
                "effect": "NoSchedule",
            },
            "enforcementMode": "bootstrap-only",
        },
    }


def test_a_node_that_keeps_the_taint_is_heard_of() -> None:
    (alert,) = NODE_READINESS.rules.alerts()
    assert (alert.expression, alert.lasting) == (
        'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-not-ready"}) == 1',
        "30m",
    )


def test_it_reads_what_another_namespace_serves(example: Load) -> None:
    (group,) = NODE_READINESS.rules.groups(example("training"))
    assert group.reads_other_namespaces
