"""An alert on nodes that never become ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.node_readiness.definition import NODE_READINESS

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_a_node_that_keeps_the_taint_is_heard_of() -> None:
    (alert,) = NODE_READINESS.alerts()
    assert (alert.expression, alert.lasting) == (
        'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-not-ready"}) == 1',
        "30m",
    )


def test_it_reads_what_another_namespace_serves(example: Callable[[str], Platform]) -> None:
    (group,) = NODE_READINESS.rules(example("training"))
    assert group.reads_other_namespaces
