"""An alert on nodes with broken GPUs."""

from charts_py.components.gpu_health.alerts import RULE_GROUP


def test_either_condition_of_a_node_and_its_taint_are_heard_of() -> None:
    (alert,) = RULE_GROUP.alerts
    assert alert.expression == (
        "max by (node, condition) (kube_node_status_condition{"
        'condition=~"gpuplane.io/GpuHardwareFault|gpuplane.io/GpuDriverFault", status="true"}) == 1'
        " or on (node)"
        ' max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-unhealthy"}) == 1'
    )
    assert RULE_GROUP.reads_other_namespaces
