"""The rule by which nodes with broken GPUs are set aside."""

from collections.abc import Callable
from typing import Any

import pytest

from charts_py.components.gpu_health import GPU_HEALTH, quarantine_rules
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.taint import Taint
from tests.charts_py.fixture_types import Load, PlatformWith
from tests.charts_py.managed import managed

FAULT = (
    "max by (node, condition) (kube_node_status_condition{"
    'condition=~"gpuplane.io/GpuHardwareFault|gpuplane.io/GpuDriverFault", status="true"}) == 1'
)
SET_ASIDE = 'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-unhealthy"}) == 1'
Health = Callable[[str, str], Platform]
KEY = "readiness.k8s.io/gpu-unhealthy"


def absence(condition: str) -> dict[str, str]:
    """Return that a condition must not be True, and need not be there."""
    return {"type": condition, "requiredStatus": "False", "defaultStatus": "False"}


OWN = [absence("gpuplane.io/GpuHardwareFault"), absence("gpuplane.io/GpuDriverFault")]


@pytest.fixture
def health(platform_after: PlatformWith) -> Health:
    """Return the function that loads a sample with an action."""

    def load(name: str, action: str) -> Platform:
        addons = f"addons: {{gpuHealth: {{action: {action}}}}}\npools:"
        return platform_after(name, ("pools:", addons))

    return load


@pytest.mark.parametrize(
    ("action", "effect"), [("quarantine", "NoSchedule"), ("evict", "NoExecute")]
)
def test_a_rule_taints_the_nodes_of_every_pool_as_long_as_something_is_broken(
    health: Health, action: str, effect: str
) -> None:
    platform = health("gke", action)
    assert list(quarantine_rules(platform)) == [
        {
            "apiVersion": "readiness.node.x-k8s.io/v1alpha1",
            "kind": "NodeReadinessRule",
            "metadata": managed(f"gpu-health-{action}"),
            "spec": {
                "nodeSelector": {
                    "matchExpressions": [{"key": "gpuplane.io/pool", "operator": "Exists"}]
                },
                "conditions": OWN,
                "taint": {"key": KEY, "value": "true", "effect": effect},
                "enforcementMode": "continuous",
            },
        }
    ]
    assert platform.contribution.health_taints == (Taint(KEY, "true", effect),)


@pytest.mark.parametrize(
    ("provider", "conditions"),
    [
        (
            "eks",
            [
                {
                    "type": "AcceleratedHardwareReady",
                    "requiredStatus": "True",
                    "defaultStatus": "True",
                }
            ],
        ),
        ("aks", [absence("GPUMissing"), absence("NVLinkStatusInactive")]),
        ("gke", []),
    ],
)
def test_conditions_of_the_provider_count_as_well(
    health: Health, provider: str, conditions: list[dict[str, Any]]
) -> None:
    (rule,) = quarantine_rules(health(provider, "quarantine"))
    assert rule["spec"]["conditions"] == [*OWN, *conditions]


def test_who_observes_has_an_alert_and_no_taint(health: Health) -> None:
    platform = health("gke", "observe")
    assert list(GPU_HEALTH.plan(platform)) == []
    assert platform.contribution.health_taints == ()
    assert [group.name for group in GPU_HEALTH.rules.groups(platform)] == ["gpu-health"]


def test_the_rule_comes_after_its_controller(health: Health) -> None:
    (component,) = GPU_HEALTH.plan(health("gke", "evict"))
    found = (component.name, component.wave, component.namespace)
    assert found == ("gpu-health", Wave.NODES, "node-readiness-controller")


def test_daemons_stay_on_a_node_that_is_set_aside_and_pods_of_teams_do_not(health: Health) -> None:
    platform = health("gke", "evict")
    (taint,) = platform.contribution.health_taints
    assert taint in platform.daemon_taints(platform.pools)
    assert taint not in {taint for pool in platform.pools for taint in pool.facts.taints}


def test_either_condition_of_a_node_is_heard_of_or_else_its_taint(example: Load) -> None:
    (group,) = GPU_HEALTH.rules.groups(example("training"))
    fault, set_aside, _ = (alert.expression for alert in group.alerts)
    assert (fault, set_aside) == (FAULT, f"{SET_ASIDE} unless on (node) {FAULT}")
    assert group.reads_other_namespaces
