"""An alert on nodes that never become ready."""

from charts_py.components.node_readiness.alerts import RULE_GROUP


def test_a_node_that_keeps_the_taint_is_heard_of() -> None:
    (alert,) = RULE_GROUP.alerts
    assert (alert.expression, alert.lasting) == (
        'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-not-ready"}) == 1',
        "30m",
    )


def test_it_reads_what_another_namespace_serves() -> None:
    assert RULE_GROUP.reads_other_namespaces
