"""The rule by which nodes with broken GPUs are set aside."""

from collections.abc import Callable

import pytest

from charts_py.components.gpu_health import GPU_HEALTH
from charts_py.platform.platform import Platform
from gpus.taint import Taint
from tests.charts_py.fixture_types import Load, PlatformWith

FAULT = (
    "max by (node, condition) (kube_node_status_condition{"
    'condition=~"gpuplane.io/GpuHardwareFault|gpuplane.io/GpuDriverFault", status="true"}) == 1'
)
SET_ASIDE = 'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-unhealthy"}) == 1'
Health = Callable[[str, str], Platform]


@pytest.fixture
def health(platform_after: PlatformWith) -> Health:
    """Return the function that loads a sample with an action."""

    def load(name: str, action: str) -> Platform:
        addons = f"addons: {{gpuHealth: {{action: {action}}}}}\npools:"
        return platform_after(name, ("pools:", addons))

    return load


def test_who_observes_has_an_alert_and_no_taint(health: Health) -> None:
    platform = health("gke", "observe")
    assert list(GPU_HEALTH.plan(platform)) == []
    assert platform.contribution.health_taints == ()
    assert [group.name for group in GPU_HEALTH.rules.groups(platform)] == ["gpu-health"]


@pytest.mark.parametrize(
    ("action", "effect"), [("quarantine", "NoSchedule"), ("evict", "NoExecute")]
)
def test_daemons_stay_on_a_node_that_is_set_aside_and_pods_of_teams_do_not(
    health: Health, action: str, effect: str
) -> None:
    platform = health("gke", action)
    (taint,) = platform.contribution.health_taints
    assert taint == Taint("readiness.k8s.io/gpu-unhealthy", "true", effect)
    assert taint in platform.daemon_taints(platform.pools)
    assert taint not in {taint for pool in platform.pools for taint in pool.facts.taints}


def test_either_condition_of_a_node_is_heard_of_or_else_its_taint(example: Load) -> None:
    (group,) = GPU_HEALTH.rules.groups(example("training"))
    fault, set_aside, _ = (alert.expression for alert in group.alerts)
    assert (fault, set_aside) == (FAULT, f"{SET_ASIDE} unless on (node) {FAULT}")
    assert group.reads_other_namespaces
