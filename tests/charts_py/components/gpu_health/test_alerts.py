"""Alerts on nodes with broken GPUs."""

from charts_py.components.gpu_health.definition import GPU_HEALTH
from tests.charts_py.fixture_types import Load

FAULT = (
    "max by (node, condition) (kube_node_status_condition{"
    'condition=~"gpuplane.io/GpuHardwareFault|gpuplane.io/GpuDriverFault", status="true"}) == 1'
)
SET_ASIDE = 'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-unhealthy"}) == 1'


def test_either_condition_of_a_node_is_heard_of_or_else_its_taint(example: Load) -> None:
    (group,) = GPU_HEALTH.rules.groups(example("training"))
    fault, set_aside, _ = (alert.expression for alert in group.alerts)
    assert (fault, set_aside) == (FAULT, f"{SET_ASIDE} unless on (node) {FAULT}")
    assert group.reads_other_namespaces
